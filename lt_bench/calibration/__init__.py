"""Arithmetic on label pairs: agreement, correction of judged scores, labels needed."""
