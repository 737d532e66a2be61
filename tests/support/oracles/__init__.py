"""Oracles: expected values worked out from the regulations, without the program."""
