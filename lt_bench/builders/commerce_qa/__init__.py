"""The commerce_qa builder: live rooms that sell goods, and what viewers ask in them.

catalogue (en/, zh/) -> Product -> Room -> Scene -> Plan (gold) -> Moment (what is typed) -> Row
"""

from lt_bench.builders.commerce_qa.builder import CommerceQA
from lt_bench.builders.commerce_qa.row import Moment, Row

__all__ = ["CommerceQA", "Moment", "Row"]
