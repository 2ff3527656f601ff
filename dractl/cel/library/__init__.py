"""The functions that expressions may call, one module for each library (cel.md, Libraries)."""
