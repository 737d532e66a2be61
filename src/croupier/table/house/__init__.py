"""Acts of the house that no included regulation mentions: tray, pauses, notes, card reader."""
