"""The hardware of one node, the kubelet's configuration and its state files, as values; nothing is read here."""
