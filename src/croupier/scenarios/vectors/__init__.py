"""Conformance vectors: the required behavior of a table as language-neutral data."""
