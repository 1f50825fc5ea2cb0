"""vLLM in process: its options (options), whether it can run here (presence), silence (quiet), the
engine and its answers (engine), and the backend."""
