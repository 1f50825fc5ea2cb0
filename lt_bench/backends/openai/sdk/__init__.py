"""Endpoints through the openai package: its clients for Azure and for authentication of the user's own
(clients), a transport over them, and what their errors mean (errors). Imported only when asked for."""
