"""HTML pages of a live table, one per office, generated from views only.

``looked`` assembles the data of a page; the pages are functions from that data to text.
"""
