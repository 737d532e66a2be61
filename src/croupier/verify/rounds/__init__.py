"""Verification of external rounds: whether and where they do not conform to the rules."""
