"""Any OpenAI-compatible server: options and retries (backend), address and key (endpoint), request
body (dialect), answers as they arrive (reception, sse, wire, fragments), refusals (rejection, fatal)."""
