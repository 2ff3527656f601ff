"""What the cluster has and what of it is in use."""
