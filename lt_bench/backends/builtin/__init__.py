"""A small real model that comes as a package: its conversion (bundled) and its backend."""
