"""The seed's policy objective, word for word, as a loss in torch.

LiveThinking, "Policy optimization": the mean over the replies of a group of

    min(ρ A, clip(ρ, 1 - η, 1 + η) A) - β KL(π_old ‖ π_θ),   ρ = π_θ(reply) / π_old(reply)

ρ is the ratio of whole replies: the product over their tokens, without TRL's mean over the length.
"""

from __future__ import annotations

import torch
from torch import Tensor


def seed_loss(
    logps: Tensor, old: Tensor, mask: Tensor, advantages: Tensor, *, clip: float, kl: float
) -> tuple[Tensor, Tensor, Tensor]:
    """The loss (a scalar, to be minimised), the KL of each reply and its ratio ρ (shape B).

    logps, old: log-probabilities of each token under π_θ and π_old, shape (B, T); `mask` is 1 on
    tokens of the reply; advantages: shape (B,).

    The KL of two policies over replies is the sum over tokens of the KL of the next token. On tokens
    drawn from π_old, r - 1 - log r with r = π_θ / π_old estimates it without bias and is never
    negative; on the policy itself its value and its gradient are 0, as those of the KL are.
    """
    difference = (logps - old) * mask
    ratio = torch.exp(difference.sum(-1))
    clipped = torch.clamp(ratio, 1.0 - clip, 1.0 + clip)
    surrogate = torch.minimum(ratio * advantages, clipped * advantages)
    divergence = (torch.expm1(difference) - difference).sum(-1)
    return -(surrogate - kl * divergence).mean(), divergence, ratio
