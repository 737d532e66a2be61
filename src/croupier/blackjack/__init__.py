"""Wagers beside a game of blackjack: streak wagers and the blackjack bonus, and a game to try them.

``streak`` and ``bonus`` are two machines of pure functions, ``decide(state, command, rules)`` and
``evolve(state, event)``. They know no card and no hand: what became of the hands of a round is told
them from outside. ``reference`` is a small blackjack that tells it, ``results`` reads it from a
file, and ``session`` plays it, round by round, with a ledger beside it.
"""
