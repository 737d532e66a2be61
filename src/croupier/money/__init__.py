"""Money: integer cents, the settlement of wagers, the double-entry ledger, forms."""
