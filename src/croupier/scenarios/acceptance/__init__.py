"""Scenarios as acceptance tests of a regulation."""
