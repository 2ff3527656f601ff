"""The optimum: one constraint model over all pods, claims and nodes. The solver is loaded when a model is built."""

from dractl.model.one_node import lexicographically_first
from dractl.model.optimum import ModelPlacement, Optimum, optimize
from dractl.model.takeable import LeftOut

__all__ = ["LeftOut", "ModelPlacement", "Optimum", "lexicographically_first", "optimize"]
