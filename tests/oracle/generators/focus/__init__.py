"""Recipes of small allocator worlds, a module for each group of subjects."""
