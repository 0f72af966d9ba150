"""The facts that a sentence needs, read from the syntax of its macro.

Each fact has a path: `("f", "areas", "[]")` is an element of `f.areas`. Its use tells its kind: a number is
counted, a list joined, a function called. Uses in other macros of the file, to which the sentence passes the
fact on, count too.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

import msgspec
from jinja2 import nodes

from app import templating

Path: TypeAlias = tuple[str, ...]
ELEMENT, KEY, VALUE = "[]", "{key}", "{value}"
"""Steps of a path: to an element of a list, and to a key and a value of a mapping."""

_TOOLS = {
    "number": "number",
    "plural": "number",
    "duration": "seconds",
    "span": "seconds",
    "weekday": "weekday",
    "day": "day",
    "short_day": "day",
    "time": "moment",
    "moment": "moment",
    "short_moment": "moment",
    "dated_moment": "moment",
    "listed": "list",
    "either": "list",
}
_LISTS = {"length", "count", "join", "list", "sort", "first", "last", "unique", "reverse", "sum", "batch"}
_LISTS |= {"map", "select", "reject", "selectattr", "rejectattr"}
_SAME = {"list", "sort", "unique", "reverse", "select", "reject", "selectattr", "rejectattr"}
_NUMBERS = {"int", "abs", "round", "float"}
_ARITHMETIC = (nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg)
_METHODS = {"strftime": "moment", "tzname": "moment"}


class Need(msgspec.Struct):
    """How a sentence uses one fact."""

    kinds: set[str] = msgspec.field(default_factory=set)
    """number, seconds, weekday, day, moment, list, sliced, indexed, mapping, function, key.

    A key is always one of the constants.
    """
    constants: list[Any] = msgspec.field(default_factory=list)
    """The values that it is compared with."""
    lacks: set[str] = msgspec.field(default_factory=set)
    """How it may be lacking, as the sentence tests it: empty (or zero), none, defined (not there)."""


@cache
def needs(file: str, macro: str) -> Mapping[Path, Need]:
    """The facts of a macro in a file of words, by path, each parameter at least."""
    macros, tables = _macros(file)
    found: dict[Path, Need] = {}
    parameters = [one.name for one in macros[macro].args]
    for name in parameters:
        found[(name,)] = Need()
    _Walk(macros, tables, found).body(macros[macro], {name: (name,) for name in parameters}, (macro,))
    return found


@cache
def _macros(file: str) -> tuple[Mapping[str, nodes.Macro], Mapping[str, nodes.Node]]:
    """The macros of a file, and the tables that it sets for them."""
    environment = templating.environment()
    tree = environment.parse(templating.loader().get_source(environment, file)[0])
    tables = {
        one.target.name: one.node
        for one in tree.body
        if isinstance(one, nodes.Assign) and isinstance(one.target, nodes.Name)
    }
    return {one.name: one for one in tree.find_all(nodes.Macro)}, tables


Scope: TypeAlias = dict[str, Path | None]


class _Walk:
    """Goes through macros and notes how each fact is used."""

    def __init__(
        self,
        macros: Mapping[str, nodes.Macro],
        tables: Mapping[str, nodes.Node],
        found: dict[Path, Need],
    ) -> None:
        self.macros = macros
        self.tables = tables
        self.found = found

    def note(self, path: Path | None, kind: str = "") -> Need:
        if path is None:
            return Need()
        for end in range(1, len(path)):
            self.found.setdefault(path[:end], Need())
        need = self.found.setdefault(path, Need())
        if kind:
            need.kinds.add(kind)
        return need

    def body(self, macro: nodes.Macro, scope: Scope, within: tuple[str, ...]) -> None:
        for child in macro.body:
            self.visit(child, scope, within)

    def visit(self, node: nodes.Node, scope: Scope, within: tuple[str, ...]) -> None:
        if isinstance(node, nodes.For):
            self.loop(node, scope, within)
            return
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            self.visit(node.node, scope, within)
            scope[node.target.name] = self.path(node.node, scope)
            return
        if isinstance(node, (nodes.If, nodes.CondExpr)):
            self.tested(node.test, scope)
        elif isinstance(node, nodes.Or):
            self.tested(node.left, scope)
        elif isinstance(node, nodes.Compare):
            self.compared(node, scope)
        elif isinstance(node, nodes.Test):
            self.test(node, scope)
        elif isinstance(node, nodes.Call):
            self.call(node, scope, within)
        elif isinstance(node, nodes.Filter) and node.node is not None:
            if node.name in _LISTS:
                self.note(self.path(node.node, scope), "list")
            elif node.name in _NUMBERS:
                self.note(self.path(node.node, scope), "number")
        elif isinstance(node, _ARITHMETIC):
            for side in node.iter_child_nodes():
                self.note(self.path(side, scope), "number")
        elif isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice):
            self.note(self.path(node.node, scope), "sliced")
        elif isinstance(node, (nodes.Getattr, nodes.Getitem, nodes.Name)):
            self.note(self.path(node, scope))
            if isinstance(node, nodes.Getitem):
                self.looked_up(node, scope)
        for child in self.inside(node):
            self.visit(child, scope, within)

    def inside(self, node: nodes.Node) -> Iterator[nodes.Node]:
        """The parts of a node; of a call of a method, the object and the arguments."""
        for child in node.iter_child_nodes():
            method = isinstance(node, nodes.Call) and child is node.node and isinstance(child, nodes.Getattr)
            yield child.node if method and isinstance(child, nodes.Getattr) else child

    def looked_up(self, node: nodes.Getitem, scope: Scope) -> None:
        """Note the keys of a table of the file that a fact is looked up in."""
        table = self.tables.get(node.node.name) if isinstance(node.node, nodes.Name) else node.node
        if isinstance(table, nodes.Dict) and (path := self.path(node.arg, scope)):
            need = self.note(path, "key")
            need.constants += [one.key.value for one in table.items if isinstance(one.key, nodes.Const)]

    def loop(self, node: nodes.For, scope: Scope, within: tuple[str, ...]) -> None:
        inner = dict(scope)
        over = self.path(node.iter, scope)
        if over is not None and over[-1] == VALUE:  # a mapping's pairs
            self.bind(node.target, ((*over[:-1], KEY), over), inner)
        elif over is not None:
            self.note(over, "list")
            self.bind(node.target, (*over, ELEMENT), inner)
        else:
            self.bind(node.target, None, inner)
        for child in (node.iter, *node.body, *([node.test] if node.test else [])):
            self.visit(child, inner, within)
        for child in node.else_:
            self.visit(child, scope, within)
        if node.else_ and over is not None:
            self.note(over).lacks.add("empty")

    def bind(self, target: nodes.Node, path: Any, scope: Scope) -> None:
        if isinstance(target, nodes.Name):
            scope[target.name] = path if path is None or isinstance(path[0], str) else None
        elif isinstance(target, nodes.Tuple):
            pair = isinstance(path, tuple) and path and isinstance(path[0], tuple)
            for number, one in enumerate(target.items):
                if pair:
                    self.bind(one, path[number], scope)
                    self.note(path[number])
                else:
                    inner = None if path is None else (*path, f"[{number}]")
                    self.note(inner)
                    self.bind(one, inner, scope)

    def tested(self, node: nodes.Node, scope: Scope) -> None:
        if isinstance(node, (nodes.And, nodes.Or)):
            self.tested(node.left, scope)
            self.tested(node.right, scope)
        elif isinstance(node, nodes.Not):
            self.tested(node.node, scope)
        elif (path := self.path(node, scope)) is not None:
            self.note(path).lacks.add("empty")

    def compared(self, node: nodes.Compare, scope: Scope) -> None:
        path = self.path(node.expr, scope)
        for operand in node.ops:
            values: list[Any] = []
            if isinstance(operand.expr, nodes.Const):
                values = [operand.expr.value]
            elif isinstance(operand.expr, (nodes.Tuple, nodes.List)):
                values = [one.value for one in operand.expr.items if isinstance(one, nodes.Const)]
            elif (
                isinstance(node.expr, nodes.Const)
                and operand.op in ("in", "notin")
                and (other := self.path(operand.expr, scope))
            ):
                self.note((*other, ELEMENT)).constants.append(node.expr.value)
                self.note(other, "list")
            need = self.note(path)
            need.constants += [one for one in values if one not in need.constants]
            if any(isinstance(one, int) and not isinstance(one, bool) for one in values):
                need.kinds.add("number")

    def test(self, node: nodes.Test, scope: Scope) -> None:
        path = self.path(node.node, scope)
        if node.name in ("none", "defined"):
            self.note(path).lacks.add(node.name)
        elif node.name in ("equalto", "eq", "==") and node.args and isinstance(node.args[0], nodes.Const):
            self.note(path).constants.append(node.args[0].value)

    def call(self, node: nodes.Call, scope: Scope, within: tuple[str, ...]) -> None:
        target = node.node
        if isinstance(target, nodes.Name) and target.name not in scope:
            if target.name in self.macros:
                if target.name not in within:
                    callee = self.macros[target.name]
                    inner: Scope = {one.name: None for one in callee.args}
                    for parameter, value in zip(callee.args, node.args, strict=False):
                        inner[parameter.name] = self.path(value, scope)
                    if node.dyn_args is not None and (spread := self.path(node.dyn_args, scope)):
                        rest = callee.args[len(node.args) :]
                        inner |= {one.name: (*spread, f"[{at}]") for at, one in enumerate(rest)}
                    for keyword in node.kwargs:
                        inner[keyword.key] = self.path(keyword.value, scope)
                    self.body(callee, inner, (*within, target.name))
            elif target.name in _TOOLS and node.args:
                path = self.path(node.args[0], scope)
                self.note(path, _TOOLS[target.name])
                if path is not None and len(node.args) > 1 and _TOOLS[target.name] == "list":
                    self.each(node.args[1], (*path, ELEMENT), within)
        elif isinstance(target, nodes.Getattr) and target.attr in _METHODS:
            self.note(self.path(target.node, scope), _METHODS[target.attr])
        elif isinstance(target, nodes.Name):
            self.note(scope[target.name], "function")

    def each(self, worded_by: nodes.Node, element: Path, within: tuple[str, ...]) -> None:
        """Note how the elements of a list are worded: `listed(items, quoted)`."""
        name = worded_by.name if isinstance(worded_by, nodes.Name) else ""
        if name in self.macros and name not in within:
            macro = self.macros[name]
            self.body(macro, {macro.args[0].name: element}, (*within, name))
        elif name in _TOOLS:
            self.note(element, _TOOLS[name])

    def path(self, node: nodes.Node, scope: Scope) -> Path | None:
        """The path of a fact, or None if the expression is more than a fact."""
        if isinstance(node, nodes.Name):
            return scope.get(node.name)
        if isinstance(node, nodes.Filter) and node.node is not None and node.name in _SAME:
            return self.path(node.node, scope)
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
            base = self.path(node.node.node, scope)
            if base is None:
                return None
            if node.node.attr == "items":
                self.note(base, "mapping")
                return (*base, VALUE)
            if node.node.attr == "get" and node.args and isinstance(node.args[0], nodes.Const):
                return (*base, str(node.args[0].value))
            return None
        if isinstance(node, nodes.Getattr):
            base = self.path(node.node, scope)
            return None if base is None else (*base, node.attr)
        if isinstance(node, nodes.Getitem):
            base = self.path(node.node, scope)
            if base is None or not isinstance(node.arg, nodes.Const):
                return None
            if isinstance(node.arg.value, str):
                return (*base, node.arg.value)
            self.note(base, "indexed")
            return (*base, ELEMENT) if "sliced" not in self.note(base).kinds else None
        return None


def children(found: Mapping[Path, Need], path: Path) -> Iterator[Path]:
    """The paths one step below a path."""
    return (one for one in found if len(one) == len(path) + 1 and one[: len(path)] == path)
