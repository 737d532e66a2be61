"""Regulations as cited, dated data, independent of any game.

One complete TOML file per instrument, game and effective date.
"""
