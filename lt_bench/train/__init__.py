"""The trainer: recipes of stages, each ending in a candidate that `lt-bench eval hf/…` takes."""
