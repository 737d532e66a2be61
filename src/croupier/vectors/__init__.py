"""Conformance vectors: what a table must do, as plain data that any language can read."""
