"""From one reply to the next: shows, asks, takes a key."""

from __future__ import annotations

from collections.abc import Sequence

from lt_bench.cli.judge.label_keys import Keys
from lt_bench.cli.judge.label_screen import HELP, Screen, head_line
from lt_bench.run.labelling.pace import Pace
from lt_bench.run.labelling.session import Session


class Loop:
    """One sitting. Ends when nothing is left, at `q`, and at the end of the input."""

    def __init__(self, session: Session, screen: Screen, keys: Keys) -> None:
        self.session, self.screen, self.keys = session, screen, keys
        self.pace = Pace()

    def run(self, notices: Sequence[str] = ()) -> None:
        """Asks until the person stops, or all is said. `notices` come with the first reply.

        Raises:
            RunError: a label cannot be written; those before it are kept.
        """
        self._show()
        for notice in notices:
            self.screen.say(notice)
        if not self.session.assignments:
            return
        while (key := self._key()) is not None and key != "q":
            self._take(key)
        self.screen.answered("q")

    def _key(self) -> str | None:
        current = self.session.current
        if current is None:
            self.screen.say("nothing is left to ask: b goes back, any other key ends")
            key = self.keys.read()
            return key if key == "b" else "q"
        before = self.session.before
        earlier = getattr(before, self.session.field) if before else None
        self.screen.ask(self.session.field, earlier)
        return self.keys.read()

    def _take(self, key: str) -> None:
        shown = self.session.current
        match key:
            case "y" | "n":
                self.screen.answered(key)
                if self.session.answer(key == "y"):
                    self.pace.end()
            case "s":
                self.screen.answered(key)
                self.session.skip()
            case "b":
                self.screen.answered(key)
                if not self.session.back():
                    self.screen.say("this is the first one")
            case "d":
                self.screen.unfolded = not self.screen.unfolded
                shown = None
            case "?":
                self.screen.say(HELP)
            case _:
                self.screen.say("that is no key here")
        if self.session.current is not shown:
            self._show(again=key == "d")

    def _show(self, *, again: bool = False) -> None:
        current = self.session.current
        if current is None:
            return
        self.screen.reply(current.reply, self._head())
        if not again:
            self.keys.settle()
            self.pace.begin()

    def _head(self) -> str:
        session, total = self.session, len(self.session.assignments)
        if session.revisited:
            return f"an earlier reply again; {session.done} of {total} are labelled"
        left = self.pace.left(session.remaining)
        return head_line(session.done + session.left_open + 1, total, left)
