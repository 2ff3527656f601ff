"""Resources, subresources and verbs that roles can name, of the groups that dractl knows (controllers.md §5)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CORE: Final = ""
VERBS: Final = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")
NODE_AWARE: Final = ("associated-node", "arbitrary-node")
"""Prefixes of the verbs that are asked for on `resourceclaims/driver`."""

_RESOURCES: Final[Mapping[str, str]] = {
    CORE: """
        bindings componentstatuses configmaps endpoints events limitranges
        namespaces/status,finalize nodes/status,proxy,metrics,stats,log,spec,configz,healthz,pods,checkpoint
        persistentvolumeclaims/status persistentvolumes/status podtemplates
        pods/status,log,exec,attach,portforward,proxy,eviction,binding,ephemeralcontainers,resize
        replicationcontrollers/status,scale resourcequotas/status secrets serviceaccounts/token services/status,proxy
    """,
    "apps": """
        controllerrevisions daemonsets/status deployments/status,scale replicasets/status,scale
        statefulsets/status,scale
    """,
    "batch": "cronjobs/status jobs/status",
    "node.k8s.io": "runtimeclasses",
    "rbac.authorization.k8s.io": "clusterrolebindings clusterroles rolebindings roles",
    "resource.k8s.io": """
        deviceclasses devicetaintrules/status resourceclaims/status,binding,driver resourceclaimtemplates
        resourcepoolstatusrequests/status resourceslices
        resourceclasses resourceclassparameters resourceclaimparameters podschedulingcontexts/status
    """,
    "scheduling.k8s.io": "podgroups/status priorityclasses workloads/status",
}
"""By group; behind a resource its subresources. The last line of `resource.k8s.io` is gone, but still in roles."""

SERVED: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = MappingProxyType(
    {
        group: {
            name: tuple(filter(None, subresources.split(",")))
            for name, _, subresources in (word.partition("/") for word in words.split())
        }
        for group, words in _RESOURCES.items()
    }
)
"""By group and resource, the subresources; `finalizers` is asked for on any resource."""

FINALIZERS: Final = "finalizers"


def group_of(resource: str) -> str | None:
    """The first of the groups that dractl knows which has the resource; None where none has."""
    return next((group for group, resources in SERVED.items() if resource in resources), None)
