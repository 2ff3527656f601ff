"""Prediction and optimum: what the cluster will do, and what could be done."""
