"""Exact odds: the ways to each result of a coup, for any shoe, and the value of each wager.

Integers and fractions of the standard library throughout; only ``kernel``, which counts many shoes
fast, needs numba.
"""
