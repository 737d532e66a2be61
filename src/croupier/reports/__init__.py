"""Documents for people: data becomes a tree of nodes, and each format renders any tree.

Each module here turns the plain data of one document into its tree (``par``, ``session``, ...), and
``formats`` has the renderers. Imports nothing of the package: what goes in is the data of a
document, and what comes out is text or the bytes of a file.
"""
