"""Scenarios as acceptance tests of a regulation: TOML files, their tables, and playing them."""
