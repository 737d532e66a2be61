"""Verification of external rounds."""
