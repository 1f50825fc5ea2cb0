"""What sways a judge: each probe changes labelled replies in one way and compares the verdicts."""

from lt_bench.run.judging.bias.battery import PROBES, Battery, plan, report

__all__ = ["PROBES", "Battery", "plan", "report"]
