# FEATURE: A5
"""KubeSchedulerConfiguration: what is honoured, what is named, what is wrong."""

from datetime import timedelta

import pytest

from dractl.api.scheduler_configuration import DEFAULT_WEIGHTS, ConfiguredSpread, ScoringType
from dractl.manifests import Locator, Source, survey
from dractl.manifests.scheduler_configuration import (
    SchedulerReading,
    forbidden,
    read_scheduler_configuration,
    unserved_claims,
)

HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"


def read(text: str) -> SchedulerReading:
    return read_scheduler_configuration([Source("scheduler.yaml", (HEAD + text).encode())])


def profile(text: str) -> SchedulerReading:
    lines = "".join(f"  {line}\n" for line in text.splitlines())
    return read(f"profiles:\n- schedulerName: default-scheduler\n{lines}")


def args(plugin: str, text: str) -> SchedulerReading:
    return profile(f"pluginConfig:\n- name: {plugin}\n  args: {text}\n")


def test_without_a_file_everything_is_at_its_default() -> None:
    assert read_scheduler_configuration([Source("a.yaml", b"kind: Pod\n")]) == SchedulerReading()


def test_it_may_stand_among_other_documents() -> None:
    text = f"apiVersion: v1\nkind: Node\n---\n{HEAD}profiles: [{{plugins: {{score: {{disabled: [{{name: '*'}}]}}}}}}]\n"
    found = read_scheduler_configuration([Source("all.yaml", text.encode())])
    assert dict(found.configuration.weights) == {}


def test_weights_and_disabled_plugins() -> None:
    found = profile(
        "plugins:\n"
        "  multiPoint: {disabled: [{name: ImageLocality}], enabled: [{name: TaintToleration, weight: 5}]}\n"
        "  score: {disabled: [{name: InterPodAffinity}], enabled: [{name: NodeResourcesFit, weight: 7}]}\n"
        "  filter: {disabled: [{name: NodePorts}]}\n"
        "  postFilter: {disabled: [{name: DefaultPreemption}]}\n"
    )
    weights = dict(DEFAULT_WEIGHTS) | {"TaintToleration": 5, "NodeResourcesFit": 7}
    del weights["ImageLocality"], weights["InterPodAffinity"]
    assert dict(found.configuration.weights) == weights
    assert found.configuration.disabled_filters == {"NodePorts"}
    assert not found.configuration.preempts
    assert found.findings == ()


def test_all_scores_gone_but_one() -> None:
    found = profile("plugins: {score: {disabled: [{name: '*'}], enabled: [{name: ImageLocality, weight: 2}]}}")
    assert dict(found.configuration.weights) == {"ImageLocality": 2}


def test_scoring_strategies() -> None:
    found = args("NodeResourcesFit", "{scoringStrategy: {type: MostAllocated, resources: [{name: memory, weight: 3}]}}")
    assert found.configuration.scoring.type is ScoringType.MOST_ALLOCATED
    assert dict(found.configuration.scoring.resources) == {"memory": 3}
    shape = "{shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}"
    text = f"{{scoringStrategy: {{type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape}}}}}"
    assert args("NodeResourcesFit", text).configuration.scoring.shape == ((0, 0), (100, 10))


def test_timeouts() -> None:
    found = args("DynamicResources", "{filterTimeout: 1m30s, bindingTimeout: 90s}").configuration
    assert (found.filter_timeout, found.binding_timeout) == (timedelta(seconds=90), timedelta(seconds=90))
    assert args("DynamicResources", "{filterTimeout: 0s}").configuration.filter_timeout == timedelta(0)


@pytest.mark.parametrize(
    ("plugin", "text", "message", "column"),
    [
        ("DynamicResources", "{filterTimeout: -1s}", "filterTimeout: must be zero or positive", 27),
        ("DynamicResources", "{bindingTimeout: 999ms}", "bindingTimeout: must be at least 1 second", 28),
        ("DynamicResources", "{filterTimeout: soon}", "filterTimeout: soon is not a duration", 27),
        ("NodeResourcesFit", "{scoringStrategy: {type: Best}}", "Best is no scoring strategy", 36),
        ("InterPodAffinity", "{hardPodAffinityWeight: 101}", "not in valid range [0-100]", 35),
    ],
)
def test_what_the_scheduler_refuses(plugin: str, text: str, message: str, column: int) -> None:
    found = args(plugin, text)
    (fault,) = found.faults
    assert message in fault.message
    assert fault.place is not None
    source = Source(
        "scheduler.yaml",
        (
            f"{HEAD}profiles:\n- schedulerName: default-scheduler\n  pluginConfig:\n"
            f"  - name: {plugin}\n    args: {text}\n"
        ).encode(),
    )
    position = Locator([source]).locate(fault.place)
    assert position is not None
    assert (position.line, position.column) == (7, column)


def test_timeouts_need_their_gates() -> None:
    found = args("DynamicResources", "{filterTimeout: 5s, bindingTimeout: 30s}").configuration
    texts = [fault.message for fault in forbidden(found, {"DRAResourceClaimDeviceStatus"})]
    assert texts == [
        "KubeSchedulerConfiguration: filterTimeout: Forbidden: DRASchedulingFilterTimeout feature gate is disabled",
        "KubeSchedulerConfiguration: bindingTimeout: Forbidden: DRADeviceBindingConditions or "
        "DRAResourceClaimDeviceStatus feature gate is disabled",
    ]
    on = {"DRASchedulerFilterTimeout", "DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"}
    assert list(forbidden(found, on)) == []


def test_what_is_not_honoured_is_named() -> None:
    found = read(
        "extenders: [{urlPrefix: 'http://example.com'}]\n"
        "profiles:\n"
        "- plugins: {score: {enabled: [{name: Fancy}]}, reserve: {disabled: [{name: VolumeBinding}]}}\n"
        "  pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {}}}]\n"
        "- schedulerName: other\n"
    )
    assert [finding.message.removesuffix(" is not part of the prediction") for finding in found.findings] == [
        "extenders",
        "plugin Fancy",
        "extension point reserve",
        "the configuration of plugin NodeAffinity",
        "profile other",
    ]


def test_constraints_of_spreading() -> None:
    found = args(
        "PodTopologySpread",
        "{defaultingType: List, defaultConstraints: "
        "[{maxSkew: 2, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway}]}",
    )
    assert found.configuration.spreads == (ConfiguredSpread("rack", 2),)
    assert args("PodTopologySpread", "{defaultingType: System}").configuration.spreads is None


def test_other_versions_and_a_second_one() -> None:
    old = HEAD.replace("/v1\n", "/v1beta3\n")
    (fault,) = read_scheduler_configuration([Source("old.yaml", old.encode())]).faults
    assert "v1beta3 is not a version" in fault.message
    (second,) = read_scheduler_configuration([Source("two.yaml", f"{HEAD}---\n{HEAD}".encode())]).faults
    assert "a second KubeSchedulerConfiguration" in second.message


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("profile: []\n", "there is no field profile", "did you mean profiles?"),
        ("profiles: [{pluginConfigs: []}]\n", "there is no field pluginConfigs", "did you mean pluginConfig?"),
        ("profiles: [{plugins: {scores: {}}}]\n", "there is no field scores", "did you mean score?"),
        ("profiles: [{plugins: {score: {disable: []}}}]\n", "there is no field disable", "did you mean disabled?"),
        (
            "profiles: [{schedulerName: a}, {schedulerName: a}]\n",
            "two profiles have the schedulerName a",
            "give one of them another name",
        ),
        (
            "profiles: [{}, {schedulerName: default-scheduler}]\n",
            "two profiles have the schedulerName default-scheduler",
            "give one of them another name",
        ),
        (
            "percentageOfNodesToScore: 101\n",
            "percentageOfNodesToScore: not in valid range [0-100]",
            "write 0 for the scheduler's choice",
        ),
        (
            "profiles: [{percentageOfNodesToScore: -1}]\n",
            "percentageOfNodesToScore: not in valid range [0-100]",
            "write 0 for the scheduler's choice",
        ),
    ],
)
def test_what_keeps_a_scheduler_from_starting(text: str, message: str, remedy: str) -> None:
    [fault] = read(text).faults
    assert (fault.message, fault.remedy) == (f"KubeSchedulerConfiguration: {message}", remedy)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("plugins: {score: {enabled: [{name: NodeAfinity}]}}", "there is no plugin NodeAfinity"),
        ("pluginConfig: [{name: DynamicResource, args: {}}]", "there is no plugin DynamicResource"),
        ("plugins: {score: {enabled: [{name: NodeAffinity, weight: 0}]}}", "weight 0 of NodeAffinity counts as 1"),
        ("plugins: {score: {enabled: [{name: OurOwnPlugin, weight: 2}]}}", ""),
        ("plugins: {score: {disabled: [{name: '*'}]}}", ""),
    ],
)
def test_what_is_probably_a_mistake(text: str, message: str) -> None:
    reading = profile(text)
    found = [each.message for each in reading.findings if each.rule == "scheduler/mistake"]
    assert (found, reading.faults) == ([message] if message else [], ())


@pytest.mark.parametrize(
    ("plugins", "is_told"),
    [
        ("{filter: {disabled: [{name: DynamicResources}]}}", True),
        ("{multiPoint: {disabled: [{name: '*'}]}}", True),
        ("{multiPoint: {disabled: [{name: '*'}], enabled: [{name: DynamicResources}]}}", False),
        ("{score: {disabled: [{name: DynamicResources}]}}", False),
    ],
)
def test_a_scheduler_that_allocates_no_devices(plugins: str, is_told: bool) -> None:
    configuration = profile(f"plugins: {plugins}").configuration
    claim = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\n"
        "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n"
    )
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n"
    told = [
        [each.rule for each in unserved_claims(configuration, survey([Source("a.yaml", text.encode())]).objects)]
        for text in (claim, node)
    ]
    assert told == [["scheduler/no-devices"] if is_told else [], []]
