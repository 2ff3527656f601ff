"""What is to be said about the input beside the plan: pool status, taints, device status, lint rules."""
