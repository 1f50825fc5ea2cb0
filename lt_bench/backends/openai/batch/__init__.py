"""Endpoints through the Batch API: requests are gathered, sent as files, and answered within a day at half
price. A command that died goes on with the batches that it left at the server (ledger)."""
