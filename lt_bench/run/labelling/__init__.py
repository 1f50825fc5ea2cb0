"""People label replies: which replies, in whose order, on which file, and where they disagree."""
