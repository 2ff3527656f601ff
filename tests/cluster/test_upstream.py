# FEATURE: D15
"""The known faults as data, and rule sets made of them."""

from dractl.cluster.features import Features
from dractl.cluster.upstream import FAULTS_OF_V1_37_2, UpstreamFault, in_order, rules_text


def test_v1_37_2_has_all_of_them_and_the_documented_rules_none() -> None:
    assert Features().faults == Features.of(()).faults == FAULTS_OF_V1_37_2 == frozenset(UpstreamFault)
    assert Features().documented.faults == frozenset()
    assert Features().without(*UpstreamFault) == Features().documented


def test_a_rule_set_says_what_it_is() -> None:
    some = FAULTS_OF_V1_37_2 - {UpstreamFault.ADMIN_BLOCKS_LATER, UpstreamFault.ADMIN_PAYS_COUNTERS}
    assert rules_text(FAULTS_OF_V1_37_2) == "the rules of v1.37.2"
    assert rules_text(frozenset()) == "the documented rules"
    assert rules_text(some) == "the rules of v1.37.2 without admin-pays-counters, admin-blocks-later"


def test_the_order_is_fixed() -> None:
    assert in_order(frozenset(UpstreamFault)) == tuple(UpstreamFault)


def test_each_has_an_id_and_a_reference() -> None:
    assert len({fault.id for fault in UpstreamFault}) == len(UpstreamFault)
    assert UpstreamFault.ADMIN_PAYS_COUNTERS.reference == "kubernetes#140729"
    assert UpstreamFault.CONSTRAINT_ENDS_ALL.reference == "no issue known"
