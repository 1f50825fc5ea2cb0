"""From a scene to a row: its history, tools and world, and gold that a right agent found out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lt_bench.builders.mini_tools.performance import GOOD, Performance, perform
from lt_bench.builders.mini_tools.scene import Scene
from lt_bench.builders.mini_tools.wording import TOLD
from lt_bench.environments.mini_shop import tool_schemas
from lt_bench.records import CallsGold, Example, GoldAnswer, GoldCall, Utterance
from lt_bench.stats.draw import Draw

TASK: Final = "mini_tools"
VERSION: Final = 1
SOURCE: Final = f"lt-bench {TASK} generator v{VERSION}"
LICENCE: Final = "Apache-2.0"


def right(scene: Scene, row_id: str) -> Performance:
    """What the right agent does, without a needless thought."""
    return perform(scene, Draw(TASK, VERSION, "right", row_id), GOOD)


def example_of(scene: Scene, row_id: str) -> Example:
    """A row with its gold."""
    role = "assistant" if scene.stated else "user"
    said = (Utterance(role=role, content=scene.said),) if scene.said else ()  # type: ignore[arg-type]
    return Example(
        id=row_id,
        task=TASK,
        question=scene.question,
        history=said,
        tools=tool_schemas(),
        world=scene.world,
        gold=_gold(scene, right(scene, row_id)),
        group=row_id,
        tags=tuple(_tags(scene)),
        source=SOURCE,
        license=LICENCE,
    )


def _gold(scene: Scene, found: Performance) -> CallsGold:
    return CallsGold(
        type=scene.kind,
        calls=tuple(GoldCall(name=one.name, arguments=one.arguments) for one in found.calls),
        order="strict" if scene.goal == "buy_if" else "any",
        end_state=found.end_state,
        answer=_answer(scene, found),
    )


def _answer(scene: Scene, found: Performance) -> GoldAnswer:
    must, must_not = (), ()  # type: tuple[str, ...], tuple[str, ...]
    match scene.goal:
        case "ask" | "two" | "again":
            must = tuple(scene.values[name] for name in scene.asked)
        case "buy" | "buy_if":
            both = ("ordered", "sold out")
            must, must_not = (
                (both[:1], both[1:]) if "ordered" in found.reply else (both[1:], both[:1])
            )
        case "cancel":
            must = ("cancelled",)
        case "talk":
            must = (TOLD[found.reply],)
        case "vague":
            must = ("which product",)
    return GoldAnswer(must_include=must, must_not_include=must_not, reference=found.reply)


def _tags(scene: Scene) -> Iterator[str]:
    yield f"type:{scene.kind}"
    yield f"goal:{scene.goal}"
    if scene.said:
        yield "noise:ellipsis"
    if scene.stated and scene.goal != "again":
        yield "noise:stated"
