"""The leak audit: does a row of one split stand in another, copied or nearly so?

`Auditor` is fed the rows of all splits as they are written and then gives an `Audit`. Exact and
normalised copies are found by hash, near ones by MinHash; each near hit is verified on the whole
sets, so that it is a fact and no estimate. docs/decisions/0008-leak-audit.md says why it is so.
"""

from lt_bench.builders.audit.auditor import Auditor
from lt_bench.builders.audit.report import Audit, Hit, Kind

__all__ = ["Audit", "Auditor", "Hit", "Kind"]
