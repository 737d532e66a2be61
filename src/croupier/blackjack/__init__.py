"""Blackjack side wagers: streak wagers, the blackjack bonus, and a reference game to test them.

``streak`` and ``bonus`` are state machines of pure functions, ``decide(state, command, rules)`` and
``evolve(state, event)``, whose inputs are hand outcomes rather than cards. ``reference`` deals
rounds, ``results`` reads them from a file, and ``session`` plays them with a ledger.
"""
