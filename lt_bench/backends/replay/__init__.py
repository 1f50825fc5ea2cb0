"""Answers from a file: its rows (predictions), their tokens (recount), and the backend."""
