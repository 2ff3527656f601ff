"""Questions for the oracle, one module per kind: `python -m tests.oracle.generators.KIND … > cases.jsonl`."""
