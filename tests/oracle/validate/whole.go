package validate

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	replicationcontroller "k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/scheduling/workload"
)

// whole are the strategies of kinds of which only whole objects are asked.
var whole = map[schema.GroupKind]plan{
	{Group: "apps", Kind: "DaemonSet"}:                               {strategy: daemonset.Strategy, resource: "daemonsets"},
	{Group: "apps", Kind: "Deployment"}:                              {strategy: deployment.Strategy, resource: "deployments"},
	{Group: "apps", Kind: "ReplicaSet"}:                              {strategy: replicaset.Strategy, resource: "replicasets"},
	{Group: "apps", Kind: "StatefulSet"}:                             {strategy: statefulset.Strategy, resource: "statefulsets"},
	{Group: "batch", Kind: "CronJob"}:                                {strategy: cronjob.Strategy, resource: "cronjobs"},
	{Group: "batch", Kind: "Job"}:                                    {strategy: job.Strategy, resource: "jobs"},
	{Kind: "LimitRange"}:                                             {strategy: limitrange.Strategy, resource: "limitranges"},
	{Kind: "Namespace"}:                                              {strategy: namespace.Strategy, resource: "namespaces"},
	{Kind: "Node"}:                                                   {strategy: node.Strategy, resource: "nodes"},
	{Kind: "ReplicationController"}:                                  {strategy: replicationcontroller.Strategy, resource: "replicationcontrollers"},
	{Kind: "ResourceQuota"}:                                          {strategy: resourcequota.Strategy, resource: "resourcequotas"},
	{Kind: "Service"}:                                                {strategy: service.Strategy, resource: "services"},
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:                     {strategy: runtimeclass.Strategy, resource: "runtimeclasses"},
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:        {strategy: clusterrole.Strategy, resource: "clusterroles"},
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}: {strategy: clusterrolebinding.Strategy, resource: "clusterrolebindings"},
	{Group: "rbac.authorization.k8s.io", Kind: "Role"}:               {strategy: role.Strategy, resource: "roles"},
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:        {strategy: rolebinding.Strategy, resource: "rolebindings"},
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:              {strategy: priorityclass.Strategy, resource: "priorityclasses"},
	{Group: "scheduling.k8s.io", Kind: "Workload"}:                   {strategy: workload.Strategy, resource: "workloads"},
}

// wholeStrategyFor is the strategy that looks at all fields of an object.
func wholeStrategyFor(kind schema.GroupKind, partly plan, known bool) (plan, bool) {
	if kind == (schema.GroupKind{Kind: "Pod"}) {
		return plan{strategy: pod.Strategy, resource: "pods", isErrorsOnly: true}, true
	}
	if known {
		partly.concerns = nil
		partly.isErrorsOnly = true
		return partly, true
	}
	found, ok := whole[kind]
	found.isErrorsOnly = true
	return found, ok
}
