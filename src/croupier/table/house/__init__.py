"""Acts of the house that no included regulation mentions: the chip tray, pauses, notes, the
reader.
"""
