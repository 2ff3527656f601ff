"""Cases that the real Kubernetes components answered, run through the product's own functions."""
