"""Exact odds for any shoe."""
