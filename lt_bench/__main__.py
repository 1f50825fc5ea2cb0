"""`python -m lt_bench` is the `lt-bench` command."""

from lt_bench.cli import main

main()
