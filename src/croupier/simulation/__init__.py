"""Simulation: a table's rounds dealt from seeded streams, and held against the exact odds.

Needs numba (``pip install croupier[kernels]``). The scalar engine shuffles and shows every card;
the lane engine fills a census at the highest speed. Both deal as the table deals.
"""
