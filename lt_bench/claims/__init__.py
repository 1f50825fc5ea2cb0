"""Claims of a reply, found without a model, and their check against the evidence."""
