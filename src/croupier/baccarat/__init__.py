"""Baccarat: deck, hands, drawing tableau, coup, and wagers, without regulations or money."""
