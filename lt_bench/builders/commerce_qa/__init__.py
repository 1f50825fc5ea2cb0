"""The commerce_qa builder: live rooms that sell goods, and what viewers ask in them.

catalogue (en/) -> Product -> Room -> Scene -> Plan (gold) -> question, history, documents, reply
"""

from lt_bench.builders.commerce_qa.builder import CommerceQA
from lt_bench.builders.commerce_qa.row import Moment, Row

__all__ = ["CommerceQA", "Moment", "Row"]
