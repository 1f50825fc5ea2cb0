"""The tool_dialogue builder: customers of a shop, an agent with tools, and what is right to do.

shop -> Stage (patch, talk, right calls in the running world) -> Ending -> row, reference dialogue
"""

from lt_bench.builders.tool_dialogue.builder import ToolDialogue

__all__ = ["ToolDialogue"]
