"""A catalog: the folders tasks/, judges/, training/ and leaderboards/ beside this file."""
