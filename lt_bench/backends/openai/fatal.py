"""What ends a run against an endpoint: refusals that no other request could get past."""

from __future__ import annotations

from lt_bench.backends.openai.dialect import SAMPLING_FIELDS
from lt_bench.backends.openai.endpoint import Endpoint
from lt_bench.backends.openai.proxy import proxy_of
from lt_bench.backends.openai.rejection import Rejection
from lt_bench.backends.openai.transport import Disconnected
from lt_bench.errors import RunError


def fatal_refusal(
    rejection: Rejection, endpoint: Endpoint, model: str, *, answered: bool
) -> RunError | None:
    """The run's end, if this refusal is one.

    `answered`: the server has already answered a request of this run. Then a 403 or a 404 is
    about this one row (some providers answer 403 to a prompt they dislike), and so is a complaint
    about a field that other rows sent too.
    """
    said = f"{endpoint.shown} answers HTTP {rejection.status}: {rejection.message}"
    status = rejection.status
    if 300 <= status < 400:
        where = endpoint.redacted(rejection.location) or "another address"
        return RunError(
            f"{endpoint.shown} redirects to {where}; redirects are not followed, "
            "so that a key reaches only the host it was named for",
            "give the final address to --base-url",
        )
    if status == 401 or (status == 403 and not answered):
        return RunError(said, _key_fix(endpoint))
    if rejection.out_of_money:
        return RunError(said, "top up the account or use another key, then resume the run")
    if answered:
        return None
    if rejection.blames_model or status in (404, 405):
        return RunError(
            said,
            f"check the model name {model!r} and that --base-url ends in the API's root "
            f"(often /v1); what it serves: curl {endpoint.shown}/models",
        )
    if rejection.param in SAMPLING_FIELDS:
        return RunError(
            said,
            f"set sampling.{rejection.param} to what this model takes, or leave it to the server: "
            f"--set 'backend.extra_body={{{rejection.param}: null}}'",
        )
    return None


def _key_fix(endpoint: Endpoint) -> str:
    if endpoint.authorization:
        return "check that the key is right and may use this model"
    return "name the variable that holds your key for this host: --api-key-env NAME"


def unreachable(lost: Disconnected, endpoint: Endpoint) -> RunError | None:
    """The run's end, if nobody can be reached at the endpoint's address."""
    if lost.reach == "untrusted":
        return RunError(
            f"no trusted connection to {endpoint.shown} ({lost.words})",
            "check https:// against http:// in --base-url, and the server's certificate",
        )
    if lost.reach == "nobody" and proxy_of(endpoint):
        return RunError(
            f"no server answers at {endpoint.shown}, which is asked through a proxy ({lost.words})",
            "check HTTPS_PROXY, or name the host in NO_PROXY; to try: "
            f"curl {endpoint.shown}/models",
        )
    if lost.reach == "nobody":
        return RunError(
            f"no server answers at {endpoint.shown} ({lost.words})",
            f"start the server or correct --base-url; to try: curl {endpoint.shown}/models",
        )
    return None
