"""The version of the program, which every document and record names."""

__version__ = "0.1.0"
