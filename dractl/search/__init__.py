"""First fit: which devices the scheduler finds for one pod's claims on one node (dra.md §12)."""

from dractl.search.first_fit import first_fit, nothing_fits

__all__ = ["first_fit", "nothing_fits"]
