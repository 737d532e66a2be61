"""Baccarat: hands, the drawing tableau, the coup, and wagers, without regulations or money."""
