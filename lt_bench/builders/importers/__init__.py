"""Readers of foreign formats: each gives Examples of one of the tasks."""
