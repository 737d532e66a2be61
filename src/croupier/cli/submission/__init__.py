"""Commands for rules submissions."""
