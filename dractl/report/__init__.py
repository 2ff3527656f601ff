"""Values into text: one module per format, and the wording of every fact in one place."""
