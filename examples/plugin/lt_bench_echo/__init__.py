"""An example plug-in of lt-bench."""
