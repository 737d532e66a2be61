"""The pages of a live table, one for each office: HTML made of what a view shows, and nothing else.

``looked`` gathers what a page is made of; the pages themselves are functions from that to text.
"""
