"""Exact odds: in how many ways a coup comes about, for any shoe, and what that makes of a wager.

``shoe`` holds the cards, ``census`` counts, ``sheet`` weighs a wager and ``par`` a whole table. All
of that is whole numbers and fractions of the standard library. ``kernel`` counts many shoes at
speed; it needs numba, and is imported only by whoever asks for it.
"""
