"""The musique builder: multi-hop questions from the original files, or of an invented world.

row (the original schema) -> Example; multihop makes such rows from world, relations and names
"""

from lt_bench.builders.musique.builder import Musique

__all__ = ["Musique"]
