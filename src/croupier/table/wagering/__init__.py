"""Wagering, from the first chip on the layout to the call of no more bets."""
