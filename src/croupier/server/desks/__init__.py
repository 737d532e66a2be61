"""Desks, each for one table or pit."""
