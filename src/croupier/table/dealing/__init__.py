"""The deal: cards to the hands, hands handed over and turned, third cards."""
