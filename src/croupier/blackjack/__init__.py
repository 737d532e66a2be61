"""Blackjack side wagers: streak wagers, the blackjack bonus, and a reference game to test them.

``streak`` and ``bonus`` are state machines of pure functions ``decide`` and ``evolve``, with hand
outcomes as inputs. ``reference`` deals rounds, ``results`` reads them, ``session`` plays them.
"""
