"""Local models by transformers: finding and loading them (locate, folder, loading), prompts
(prompting), token by token (engine, decoding), and what was said (answering)."""
