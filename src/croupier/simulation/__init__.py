"""Seeded simulation of a table's rounds, compared with the exact odds. Needs numba."""
