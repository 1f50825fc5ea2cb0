"""Names to objects, loaded on first use. Built-ins stand in a table; plug-ins come by entry point."""

from __future__ import annotations

import importlib
from functools import cached_property
from typing import Generic, TypeVar, cast

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.plugins import plugins

T = TypeVar("T")


class Registry(Generic[T]):
    """`builtin` maps a name to "module:attribute"; `group` is the entry-point group of plug-ins;
    `extras` maps a built-in's name to the extra that brings its libraries."""

    def __init__(
        self, kind: str, group: str, builtin: dict[str, str], extras: dict[str, str] | None = None
    ) -> None:
        self.kind, self.group, self.builtin = kind, group, builtin
        self.extras = extras or {}

    @cached_property
    def targets(self) -> dict[str, str]:
        """Every known name. Two owners of one name are an error, whichever came first."""
        targets, owners = dict(self.builtin), dict.fromkeys(self.builtin, "lt-bench")
        for plugin in plugins(self.group):
            owner = plugin.dist.name if plugin.dist else plugin.value
            if plugin.name in targets:
                raise UsageError(
                    f"{self.kind} {plugin.name!r} has two owners: {owners[plugin.name]} "
                    f"({targets[plugin.name]}) and {owner} ({plugin.value})",
                    f"uninstall {owner}, or have it use another name",
                )
            targets[plugin.name], owners[plugin.name] = plugin.value, owner
        return targets

    def get(self, name: str) -> T:
        """The object behind `name`.

        Raises:
            UsageError: unknown name, a library it needs is missing, or its plug-in is broken.
        """
        if name not in self.targets:
            raise UsageError(
                f"unknown {self.kind} {name!r}.{did_you_mean(name, self.targets)}",
                f"known: {', '.join(sorted(self.targets))}",
            )
        module, _, attribute = self.targets[name].partition(":")
        try:
            return cast("T", getattr(importlib.import_module(module), attribute))
        except (ImportError, AttributeError, SyntaxError) as error:
            if name in self.builtin and not isinstance(error, ModuleNotFoundError):
                raise
            extra = self.extras.get(name)
            raise UsageError(
                f"{self.kind} {name!r} ({self.targets[name]}) does not load: {error}",
                f"pip install 'lt-bench[{extra}]'" if extra else "reinstall or remove its package",
            ) from error
