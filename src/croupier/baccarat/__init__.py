"""The game of baccarat: hands, the drawing tableau, the coup, the wagers. No law and no money."""
