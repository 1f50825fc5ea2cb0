"""Other people's tools: lm-eval asks our questions, and we read what their harnesses answered."""
