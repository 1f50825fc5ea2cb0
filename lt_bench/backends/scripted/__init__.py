"""A model that answers by rules of a file: the conditions, the answers, the script, the backend."""
