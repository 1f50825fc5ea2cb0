"""Any OpenAI-compatible server: options and retries (backend), address and key (endpoint), request
body (dialect), what carries it (transport: aiohttp_transport, sdk), answers as they arrive (reception,
sse, wire, fragments), refusals (rejection, fatal); and the same requests by batches (batch)."""
