"""Money in integer cents."""
