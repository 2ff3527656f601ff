"""Kubernetes API types that dractl computes with, and the identities of what they describe."""
