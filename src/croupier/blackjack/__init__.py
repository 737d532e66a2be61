"""Blackjack side wagers: streak wagers, the blackjack bonus, and a reference game to test them."""
