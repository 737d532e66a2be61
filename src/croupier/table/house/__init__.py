"""Acts of the house that no regulation mentions: the chip tray, pauses, and notes."""
