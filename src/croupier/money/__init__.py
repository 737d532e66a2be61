"""Money in integer cents: settlement of wagers, the double-entry ledger, and forms."""
