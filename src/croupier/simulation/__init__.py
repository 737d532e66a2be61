"""Seeded simulation of a table's rounds, compared with the exact odds.

Needs numba (``pip install croupier[kernels]``). The scalar engine deals every card; the lane engine
fills a census at the highest speed.
"""
