"""Parameters and work of a model, from its `config.json` alone: no weights, no torch.

    config.json -> Architecture -> Parameters (total, active, active_matmul) and Work (FLOPs)

Two parameter counts and two conventions of work, always named: `active_params` is what model cards
publish, `active_matmul_params` is what multiplies per token; `paper` is 2 N T, `exact` is the sum
over every matrix product of prefill and decode. Work is a number of operations (TFLOP), not a rate.
"""

from lt_bench.flops.architecture import architecture
from lt_bench.flops.families import known_families
from lt_bench.flops.parameters import Parameters, parameters
from lt_bench.flops.published import Published, published, published_names
from lt_bench.flops.work import Flops, Work, exact, flop_paper, work

__all__ = [
    "Flops",
    "Parameters",
    "Published",
    "Work",
    "architecture",
    "exact",
    "flop_paper",
    "known_families",
    "parameters",
    "published",
    "published_names",
    "work",
]
