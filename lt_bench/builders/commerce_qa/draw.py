"""A draw, under the name that the builders know it by."""

from lt_bench.stats.draw import Draw, bucket

__all__ = ["Draw", "bucket"]
