"""Judges put to the test: rated rows, calibration against people, biases."""
