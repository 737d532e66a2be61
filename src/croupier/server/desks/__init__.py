"""Desks: each decides for one table or pit, and makes durable what it accepts."""
