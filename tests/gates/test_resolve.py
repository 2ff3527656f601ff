# FEATURE: A6
import pytest

from dractl.errors import UsageError
from dractl.gates import RELEASES, Gates, gates_of, resolve
from dractl.gates.table import COMPATIBILITY_GATES


def message(settings: str, release: str = "1.37") -> str:
    with pytest.raises(UsageError) as caught:
        resolve(release=release, settings=settings)
    return str(caught.value)


@pytest.mark.parametrize("release", RELEASES)
def test_without_settings_every_gate_has_its_default(release: str) -> None:
    gates = resolve(release=release)
    assert gates.enabled == {gate.name for gate in gates_of(release).values() if gate.default}
    for name, reason in gates.reasons.items():
        without = f", without --min-compatibility-version={release}" if name in COMPATIBILITY_GATES else ""
        assert reason == f"default of {release}{without}"


@pytest.mark.parametrize("text", ["1.36", "v1.36", "1.36.2", "v1.36.0"])
def test_a_release_is_known_by_its_first_two_numbers(text: str) -> None:
    assert resolve(release=text).release == "1.36"


@pytest.mark.parametrize("text", ["1.33", "1.38", "2", "", "latest"])
def test_other_releases_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not known"):
        resolve(release=text)


@pytest.mark.parametrize("word", ["1", "t", "T", "TRUE", "true", "True"])
def test_words_for_on(word: str) -> None:
    assert resolve(settings=f"MemoryQoS=false,DRAListTypeAttributes={word}").is_on("DRAListTypeAttributes")


@pytest.mark.parametrize("word", ["0", "f", "F", "FALSE", "false", "False"])
def test_words_for_off(word: str) -> None:
    assert not resolve(settings=f" MemoryQoS = {word} ,").is_on("MemoryQoS")


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ("GenericWorkload", "missing bool value for GenericWorkload"),
        (
            "GenericWorkload=yes",
            'invalid value of GenericWorkload=yes, err: strconv.ParseBool: parsing "yes": invalid syntax',
        ),
        ("DRAShinyThings=true", "unrecognized feature gate: DRAShinyThings"),
        ("GangScheduling=true", "unrecognized feature gate: GangScheduling"),
        ("DRAAdminAccess=false", "cannot set feature gate DRAAdminAccess to false, feature is locked to true"),
        (
            "DRAWorkloadResourceClaims=true",
            "DRAWorkloadResourceClaims is enabled, but depends on features that are disabled: [GenericWorkload]",
        ),
        (
            "DRADeviceTaints=false",
            "DRADeviceTaintRules is enabled, but depends on features that are disabled: [DRADeviceTaints]",
        ),
        (
            "DRAPartitionableDevicesType=true,DRAPartitionableDevices=false",
            "DRAPartitionableDevicesType is enabled, but depends on features that are disabled: "
            "[DRAPartitionableDevices DRAResourcePoolStatus]",
        ),
    ],
)
def test_refusals_are_in_the_components_words(settings: str, text: str) -> None:
    assert message(settings) == text


def test_all_that_is_wrong_is_said_at_once() -> None:
    assert message("A=true,B") == "[missing bool value for B, unrecognized feature gate: A]"


def test_a_locked_gate_may_be_set_to_what_it_is() -> None:
    assert resolve(settings="DRAAdminAccess=true").is_on("DRAAdminAccess")


def test_all_alpha_alone_does_not_start() -> None:
    text = message("AllAlpha=true")
    assert text.count("depends on features that are disabled: [GenericWorkload]") == 4


def test_one_gate_can_keep_three_others_from_starting() -> None:
    assert message("PodLevelResources=false").count("[PodLevelResources]") == 3


def test_all_alpha_reaches_the_alpha_gates_that_are_not_named() -> None:
    gates = resolve(settings="AllAlpha=true,GenericWorkload=true,DRAListTypeAttributes=false")
    assert gates.is_on("DRADerivedAttributes")
    assert gates.reasons["DRADerivedAttributes"] == "--feature-gates AllAlpha"
    assert not gates.is_on("DRAListTypeAttributes")
    assert not gates.is_on("DRAWorkloadResourceClaims")


def test_all_beta_leaves_alone_what_a_flag_cannot_turn_on() -> None:
    gates = resolve(settings="AllBeta=true")
    assert gates.is_on("GenericWorkload")
    assert not gates.is_on("DRAFractionalCapacityRange")


def test_needs_are_checked_since_1_35() -> None:
    assert not resolve(release="1.34", settings="DynamicResourceAllocation=false").is_on("DynamicResourceAllocation")
    assert "depends on" in message(
        "DRAPartitionableDevices=true,DRADeviceTaints=false,DRADeviceTaintRules=true", "1.35"
    )


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ("DRADerivedAtributes=true", "did you mean DRADerivedAttributes?"),
        ("GangScheduling=true", "GangScheduling is known in 1.35, 1.36 only"),
        ("DRADeviceTaints=false", "leave DRADeviceTaints on"),
        ("WorkloadWithJob=true", "add GenericWorkload=true"),
    ],
)
def test_a_remedy_says_what_to_write(settings: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        resolve(settings=settings)
    assert hint in caught.value.remedy


USED = {"DRAListTypeAttributes": "ResourceSlice s: spec.devices[0].attributes[a].ints"}


def test_what_the_input_uses_is_on() -> None:
    gates = resolve(used=USED)
    assert gates.is_on("DRAListTypeAttributes")
    assert gates.reasons["DRAListTypeAttributes"] == f"the input uses it ({USED['DRAListTypeAttributes']})"


def test_a_gate_that_is_on_anyway_keeps_its_reason() -> None:
    assert resolve(used={"DRADeviceTaints": "x"}).reasons["DRADeviceTaints"] == "default of 1.37"


def test_what_a_used_gate_needs_comes_on_with_it() -> None:
    gates = resolve(used={"DRAPartitionableDevicesType": "ResourceSlice s: spec.partitionTypeAttribute"})
    assert gates.is_on("DRAResourcePoolStatus")
    assert gates.reasons["DRAResourcePoolStatus"] == "DRAPartitionableDevicesType needs it"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ("Defaults", "default of 1.37"),
        ("DRAListTypeAttributes=false", "--feature-gates, though the input uses it"),
        ("AllAlpha=false", "--feature-gates AllAlpha, though the input uses it"),
    ],
)
def test_what_the_input_uses_stays_off_if_the_user_says_so(settings: str, reason: str) -> None:
    gates = resolve(settings=settings, used=USED)
    assert not gates.is_on("DRAListTypeAttributes")
    assert gates.reasons["DRAListTypeAttributes"].startswith(reason)


def test_single_gates_can_be_added_to_the_defaults() -> None:
    gates = resolve(settings="Defaults,DRADerivedAttributes=true", used=USED)
    assert gates.is_on("DRADerivedAttributes")
    assert not gates.is_on("DRAListTypeAttributes")


def test_a_used_gate_stays_off_where_its_need_is_fixed_off() -> None:
    gates = resolve(settings="GenericWorkload=false", used={"DRAWorkloadResourceClaims": "PodGroup ml/g: spec"})
    assert not gates.is_on("DRAWorkloadResourceClaims")
    assert gates.reasons["DRAWorkloadResourceClaims"].startswith("it needs GenericWorkload, which --feature-gates")


def test_a_used_gate_that_the_release_lacks_is_named_and_off() -> None:
    gates = resolve(release="1.36", used={"DRADerivedAttributes": "ResourceClaim ml/c: spec"})
    assert not gates.is_on("DRADerivedAttributes")
    assert "unknown in this release" in gates.reasons["DRADerivedAttributes"]


def test_fractional_ranges_need_more_than_a_gate() -> None:
    for gates in (
        resolve(settings="DRAFractionalCapacityRange=true"),
        resolve(used={"DRAFractionalCapacityRange": "ResourceSlice s"}),
    ):
        assert gates.is_on("DRAFractionalCapacityRange")
        assert "--min-compatibility-version" in gates.reasons["DRAFractionalCapacityRange"]


def test_asking_for_a_name_that_no_release_knows_is_a_mistake() -> None:
    gates: Gates = resolve(release="1.34")
    assert not gates.is_on("DRADerivedAttributes")
    with pytest.raises(KeyError):
        gates.is_on("DRADerivedAtributes")


def test_the_remedy_for_a_locked_gate_is_to_leave_it_out() -> None:
    with pytest.raises(UsageError) as caught:
        resolve(settings="DRAAdminAccess=false")
    assert caught.value.remedy == "leave DRAAdminAccess out: it cannot be changed in this release"
