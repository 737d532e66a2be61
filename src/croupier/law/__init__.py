"""Regulations as cited, dated data: one TOML file per instrument, game, and effective date."""
