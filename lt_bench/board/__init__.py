"""Boards: candidates side by side on the same rows, and what may be said of their differences."""
