"""Jinja whose templates run leaner: they print the same, with less work for each call and each value.

A page calls some four hundred macros and functions and prints a thousand values. Jinja asks each callable in
several ways whether it wants the context, and makes a `Markup` of each escaped value, only to join it.
"""

from collections.abc import Callable, MutableMapping
from functools import lru_cache, partial
from itertools import groupby
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from jinja2 import Environment, nodes, pass_context, pass_eval_context
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

SETTLED = frozenset({"asset", "own_word", "say"})
"""Globals of the pages that give the same for the same constants."""
NAMED = "settled_"
"""Begins the names of what a template asks for when it is loaded."""
SHORT, KEPT = 40, 20_000
"""The longest text whose escaped form is kept, in characters, and how many are kept."""
PLAIN = (FunctionType, BuiltinFunctionType, MethodType, partial, type(lru_cache(len)))
"""Kinds of callables that want the context only if they are marked so."""


@lru_cache(KEPT)
def _short(text: str) -> str:
    return str.__str__(escape(text))


def escaped(value: object) -> str:
    """The value as text within markup: what `escape` gives, not always as `Markup`."""
    kind = type(value)
    if kind is str:
        return _short(value) if len(value) <= SHORT else escape(value)  # type: ignore[arg-type]
    if kind is Markup:
        return value  # type: ignore[return-value]
    return str(value) if kind is int else escape(value)


class LeanMacro(Macro):
    """A macro whose usual call, by arguments that it names, takes no detour."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.usual = not (self.caller or self.catch_kwargs or self.catch_varargs or self.explicit_caller)
        """All its arguments are named."""

    @pass_eval_context
    def __call__(self, *args: Any, **kwargs: Any) -> str:
        """The macro's text: `Markup` if the caller's context, else the macro's own file, escapes."""
        given = args and isinstance(args[0], EvalContext)
        if self.usual:
            if given:
                return self.called(args[0].autoescape, args[1:], kwargs)
            return self.called(self._default_autoescape, args, kwargs)
        return super().__call__(*args, **kwargs)

    def called(self, autoescape: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """The text of a macro that is `usual`."""
        count = len(args)
        if kwargs or count != self._argument_count:
            if count > self._argument_count:
                return super().__call__(*args, **kwargs)  # raises
            values = [kwargs.pop(name, missing) for name in self.arguments[count:]]
            if kwargs:
                return super().__call__(*args, **kwargs)  # raises
            text = self._func(*args, *values)
        else:
            text = self._func(*args)
        return str.__new__(Markup, text) if autoescape else text


class LeanContext(Context):
    """Calls functions and macros without asking each in five ways what it wants."""

    def call(self, wanted: Any, /, *args: Any, **kwargs: Any) -> Any:
        """The result of the call."""
        kind = type(wanted)
        if kind is LeanMacro:
            if wanted.usual:
                return wanted.called(self.eval_ctx.autoescape, args, kwargs)
            return wanted(self.eval_ctx, *args, **kwargs)
        if kind in PLAIN and not hasattr(wanted, "jinja_pass_arg"):
            return wanted(*args, **kwargs)
        return super().call(wanted, *args, **kwargs)


class LeanGenerator(CodeGenerator):
    """Writes the code of templates."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802
        """Write a template, with the names that the rest needs."""
        self.writeline(f"from {__name__} import LeanMacro, escaped")
        super().visit_Template(node, frame)
        for number, found in enumerate(getattr(node, "settled", ())):
            self.writeline(f"{NAMED}{number} = environment.{found}")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:  # noqa: ARG002
        """Write the making of a macro."""
        names = tuple(argument.name for argument in macro_ref.node.args)
        self.write(
            f"LeanMacro(environment, macro, {getattr(macro_ref.node, 'name', None)!r}, {names!r},"
            f" {macro_ref.accesses_kwargs!r}, {macro_ref.accesses_varargs!r},"
            f" {macro_ref.accesses_caller!r}, context.eval_ctx.autoescape)"
        )

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("escaped(")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """Write an attribute: Python's own, and only where there is none what else Jinja would look for."""
        self.write("(lean_v if (lean_v := getattr(lean_o := ")
        self.visit(node.node, frame)
        self.write(
            f", {node.attr!r}, missing)) is not missing else environment.getattr(lean_o, {node.attr!r}))"
        )

    def signature(self, node: Any, frame: Frame, extra_kwargs: Any = None) -> None:
        """Write arguments; without the loop's variables, which only functions with the context would need."""
        kept = {key: value for key, value in (extra_kwargs or {}).items() if key == "caller"}
        super().signature(node, frame, kept or None)


def _part(node: nodes.Node) -> str:
    """The code of what can be part of a row; empty: it can't."""
    if isinstance(node, nodes.TemplateData):
        return f"Markup({node.data!r})"
    return node.name if isinstance(node, nodes.InternalName) and node.name.startswith(NAMED) else ""


class _Settling(NodeTransformer):
    """Names what needs to be found only once: settled calls, and the rows of text that they stand in."""

    def __init__(self, settled: frozenset[str]) -> None:
        self._settled = settled
        self.found: list[str] = []
        """By number, how it is asked of the environment."""

    def _named(self, found: str) -> nodes.InternalName:
        self.found.append(found)
        named = object.__new__(nodes.InternalName)
        nodes.Node.__init__(named, f"{NAMED}{len(self.found) - 1}")
        return named

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        """A call of which everything stands in the template."""
        self.generic_visit(node)
        given = [one.value for one in node.args if isinstance(one, nodes.Const)]
        named = {one.key: one.value.value for one in node.kwargs if isinstance(one.value, nodes.Const)}
        whole = len(given) == len(node.args) and len(named) == len(node.kwargs)
        if not whole or node.dyn_args or node.dyn_kwargs or not isinstance(node.node, nodes.Name):
            return node
        if node.node.name not in self._settled:
            return node
        return self._named(f"settle({node.node.name!r}, *{given!r}, **{named!r})")

    def visit_Output(self, node: nodes.Output) -> nodes.Node:  # noqa: N802
        """A row of texts and settled calls is one."""
        self.generic_visit(node)
        kept: list[nodes.Expr] = []
        for parts, some in groupby(node.nodes, lambda one: bool(_part(one))):
            row = list(some)
            kept += [self._named(f"row({', '.join(map(_part, row))})")] if parts and len(row) > 1 else row
        node.nodes = kept
        return node


def _attribute(environment: Environment, name: str) -> Callable[[Any], Any]:
    """A function that gives an attribute of an item, or what else Jinja finds by that name."""

    def attribute(item: Any) -> Any:
        found = missing if hasattr(item, "__getitem__") else getattr(item, name, missing)
        return environment.getitem(item, name) if found is missing else found

    return attribute


def _with_attribute(original: Callable[..., Any], wanted: bool) -> Callable[..., Any]:
    """The filter `selectattr` or `rejectattr`, which looks a test up once and not for each item."""

    @pass_context
    def selected(context: Context, items: Any, *args: Any, **kwargs: Any) -> Any:
        tests = context.environment.tests
        name = args[0] if args else None
        test: Any = tests.get(args[1]) if len(args) > 1 else bool
        simple = isinstance(name, str) and name.isidentifier() and not kwargs
        if not simple or test is None or hasattr(test, "jinja_pass_arg"):
            return original(context, items, *args, **kwargs)
        of, more = _attribute(context.environment, str(name)), args[2:]
        return (item for item in items or () if bool(test(of(item), *more)) is wanted)

    return selected


def _mapped(original: Callable[..., Any]) -> Callable[..., Any]:
    """The filter `map`, faster where it gives an attribute."""

    @pass_context
    def mapped(context: Context, items: Any, *args: Any, **kwargs: Any) -> Any:
        name = kwargs.get("attribute")
        if args or len(kwargs) != 1 or not isinstance(name, str) or not name.isidentifier():
            return original(context, items, *args, **kwargs)
        of = _attribute(context.environment, name)
        return (of(item) for item in items or ())

    return mapped


class LeanEnvironment(Environment):
    """The environment of leaner templates."""

    code_generator_class = LeanGenerator
    context_class = LeanContext
    settled: frozenset[str] = frozenset()
    """Globals that a template which escapes asks when it is loaded, if it names all that they are given."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        known = self.filters
        known["selectattr"] = _with_attribute(known["selectattr"], wanted=True)
        known["rejectattr"] = _with_attribute(known["rejectattr"], wanted=False)
        known["map"] = _mapped(known["map"])

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """The template's nodes, in which what is settled has names of its own."""
        parsed = super()._parse(source, name, filename)
        settling = _Settling(self.settled)
        if self.settled:
            settling.visit(parsed)
        parsed.settled = settling.found  # type: ignore[attr-defined]
        return parsed

    def settle(self, name: str, *given: object, **named: object) -> Any:
        """Ask a settled global."""
        call: Any = self.globals[name]
        return call(*given, **named)

    def row(self, *parts: str) -> Markup:
        """Pieces of a page and settled values as one, the values escaped."""
        return Markup("").join(parts)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template: the environment's own, unless the template has others."""
        return super().make_globals(d) if d else self.globals
