"""Baccarat without regulations or money."""
