"""Sessions: a bettor, a bankroll, and a system at a table, dealt by the scalar engine.

``table`` settles, ``systems`` bet, ``play`` puts them before the rounds that are dealt, ``results``
adds sessions up. Needs numba, as all of a simulation does.
"""
