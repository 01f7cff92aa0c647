"""Find the places of a module that can be changed, and change one."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """Replace the bytes from `start` to `end` with `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a module, with the changes that can be made there."""

    path: str
    line: int
    kind: str
    lines: tuple[int, ...]
    """The lines of its statement."""
    names: frozenset[str]
    """The names that it defines at import; empty inside functions that are not cached."""
    changes: tuple[Change, ...]


def apply(source: str, change: Change) -> str:
    """Return the changed source. Raises SyntaxError if it is not valid."""
    data = source.encode()
    after = (data[: change.start] + change.text.encode() + data[change.end :]).decode()
    ast.parse(after)
    return after


def diff(path: str, line: int, before: str, after: str) -> str:
    """Return a change as a diff without context."""
    found = unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    lines = [line for line in found if not line.startswith(("---", "+++", "@@"))]
    return "\n".join([f"{path}:{line}", *lines])


_OPERATORS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Lt: (r"<", "<=", ">="),
    ast.LtE: (r"<=", "<", ">"),
    ast.Gt: (r">", ">=", "<="),
    ast.GtE: (r">=", ">", "<"),
    ast.Eq: (r"==", "!="),
    ast.NotEq: (r"!=", "=="),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
    ast.Add: (r"\+", "-"),
    ast.Sub: (r"-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.Div: (r"/", "*"),
    ast.FloorDiv: (r"//", "*"),
    ast.Mod: (r"%", "*"),
    ast.LShift: (r"<<", ">>"),
    ast.RShift: (r">>", "<<"),
    ast.BitAnd: (r"&", "|"),
    ast.BitOr: (r"\|", "&"),
}
"""A pattern for each operator, and what replaces it."""


def find_places(path: str, source: str, *, tuning: frozenset[str] = frozenset()) -> list[Place]:
    """Return all places of a module, except in the constants in `tuning`."""
    finder = _Finder(path, source, tuning)
    finder.visit_body(ast.parse(source))
    return finder.places


class _Finder:
    def __init__(self, path: str, source: str, tuning: frozenset[str]) -> None:
        self.places: list[Place] = []
        self._path = path
        self._source = source
        self._data = source.encode()
        self._starts = [0]
        for line in self._data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._tuning = tuning
        self._lines: tuple[int, ...] = ()
        self._names: frozenset[str] = frozenset()
        # Of the function that is visited:
        self._is_function = False
        self._reassigned: frozenset[str] = frozenset()
        self._last: tuple[ast.stmt, ...] = ()

    def visit_body(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self._statement(child)
            elif isinstance(child, ast.excepthandler | ast.match_case):
                self._lines = (getattr(child, "lineno", self._lines[0] if self._lines else 0),)
                if isinstance(child, ast.match_case) and child.guard:
                    self._expression(child.guard)
                self.visit_body(child)

    def _statement(self, node: ast.stmt) -> None:
        if self._is_skipped(node):
            return
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node)
            case ast.ClassDef():
                outer, self._names = self._names, self._names | {node.name}
                self.visit_body(node)
                self._names = outer
            case _ if head := _head(node):
                self._lines = tuple(range(node.lineno, (head[-1].end_lineno or 0) + 1))
                for expression in head:
                    if isinstance(node, ast.If | ast.While):
                        self._condition(expression)
                    self._expression(expression)
                self.visit_body(node)
            case ast.Try() | ast.TryStar():
                self.visit_body(node)
            case _:
                self._simple(node)

    def _simple(self, node: ast.stmt) -> None:
        self._lines = tuple(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        outer = self._names
        if not self._is_function and isinstance(node, ast.Assign | ast.AnnAssign):
            self._names |= _names(node.targets if isinstance(node, ast.Assign) else [node.target])
        if self._is_droppable(node):
            self._add(node, "statement", self._replace(node, "pass"))
        if isinstance(node, ast.AugAssign):
            self._operator(node, "sign", node.target, node.op, node.value)
        for field, child in ast.iter_fields(node):
            if field != "annotation":
                self._children(child)
        self._names = outer

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        before = self._names, self._reassigned, self._is_function, self._last
        self._lines = (node.lineno,)
        self._names |= {node.name}
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self._expression(default)
        # What is cached runs in one test only, as constants do in none.
        is_cached = any(
            isinstance(one, ast.Name) and one.id == "cache" for one in node.decorator_list
        )
        self._names = self._names if is_cached else frozenset()
        self._reassigned, self._is_function = _reassigned(node), True
        self._last = tuple(_last(node.body))
        self.visit_body(node)
        self._names, self._reassigned, self._is_function, self._last = before

    def _is_skipped(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                return True
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id="_log")))
                | ast.Call(args=[ast.Name(id="_log"), *_])
            ):
                return True
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return True
            case ast.Assign(targets=targets):
                return bool(_names(targets) & (self._tuning | {"__all__", "__slots__"}))
            case ast.AnnAssign(target=target):
                return node.value is None or bool(_names([target]) & self._tuning)
        return False

    def _is_droppable(self, node: ast.stmt) -> bool:
        match node:
            case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
                return False
            case ast.Return(value=None | ast.Constant(value=None)) if node in self._last:
                return False
            case ast.Expr() | ast.Raise() | ast.Return() | ast.Continue() | ast.Break():
                return True
            case ast.Delete() | ast.AugAssign() | ast.AnnAssign(target=ast.Attribute()):
                return True
            case ast.Assign(targets=targets):
                return all(
                    isinstance(target, ast.Attribute | ast.Subscript)
                    or (isinstance(target, ast.Name) and target.id in self._reassigned)
                    for target in targets
                )
        return False

    def _children(self, value: object) -> None:
        if isinstance(value, list):
            for one in value:
                self._children(one)
        elif isinstance(value, ast.expr):
            self._expression(value)
        elif isinstance(value, ast.comprehension):
            self._expression(value.iter)
            for condition in value.ifs:
                self._condition(condition)
                self._expression(condition)
        elif isinstance(value, ast.keyword):
            if value.arg != "strict":
                self._expression(value.value)
        elif isinstance(value, ast.AST):
            for _, child in ast.iter_fields(value):
                self._children(child)

    def _expression(self, node: ast.expr) -> None:
        match node:
            case ast.JoinedStr() | ast.Call(func=ast.Name(id="String")):
                return
            case ast.Constant():
                self._constant(node)
            case ast.IfExp(test=test):
                self._condition(test)
            case ast.Compare() | ast.BoolOp() | ast.BinOp() | ast.UnaryOp():
                self._operation(node)
        for _, child in ast.iter_fields(node):
            self._children(child)

    def _constant(self, node: ast.Constant) -> None:
        match node.value:
            case bool() as value:
                self._add(node, "condition", self._replace(node, str(not value)))
            case int() | float() as number:
                others = (self._replace(node, repr(number + step)) for step in (1, -1))
                self._add(node, "number", *others)

    def _operation(self, node: ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp) -> None:
        match node:
            case ast.Compare():
                operands = (node.left, *node.comparators)
                for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
                    self._operator(node, "comparison", left, operator, right)
            case ast.BoolOp():
                self._bool_op(node)
            case ast.BinOp():
                self._operator(node, "sign", node.left, node.op, node.right)
            case ast.UnaryOp(op=ast.Not()):
                self._without(node, "not", "condition")
            case ast.UnaryOp(op=ast.USub()):
                self._without(node, "-", "sign")

    def _condition(self, test: ast.expr) -> None:
        """Negate a condition, unless it is a comparison or a "not"."""
        match test:
            case ast.UnaryOp(op=ast.Not()) | ast.Compare(ops=[_]) | ast.Constant():
                return
        text = ast.get_source_segment(self._source, test)
        self._add(test, "condition", self._replace(test, f"(not ({text}))"))

    def _bool_op(self, node: ast.BoolOp) -> None:
        """Replace an "and" or "or", or drop one of the operands."""
        word, other, left_out = "and", "or", "True"
        if isinstance(node.op, ast.Or):
            word, other, left_out = "or", "and", "False"
        pairs = zip(node.values, node.values[1:], strict=False)
        changes = [self._gap(left, right, rf"\b{word}\b", other) for left, right in pairs]
        changes += [self._replace(one, left_out) for one in node.values]
        self._add(node, "condition", *changes)

    def _operator(
        self, node: ast.AST, kind: str, left: ast.expr, operator: ast.AST, right: ast.expr
    ) -> None:
        pattern, *others = _OPERATORS.get(type(operator), ("",))
        self._add(node, kind, *(self._gap(left, right, pattern, other) for other in others))

    def _without(self, node: ast.expr, word: str, kind: str) -> None:
        start = self._start(node)
        self._add(node, kind, Change(start, start + len(word), ""))

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def _replace(self, node: ast.expr | ast.stmt, text: str) -> Change:
        return Change(self._start(node), self._end(node), text)

    def _gap(self, left: ast.expr, right: ast.expr, sign: str, other: str) -> Change | None:
        """Replace the operator between two operands."""
        start = self._end(left)
        found = re.search(sign, self._data[start : self._start(right)].decode())
        return Change(start + found.start(), start + found.end(), other) if found else None

    def _add(self, node: ast.AST, kind: str, *changes: Change | None) -> None:
        possible = tuple(
            change
            for change in changes
            if change and change.text.encode() != self._data[change.start : change.end]
        )
        if possible:
            line = getattr(node, "lineno", 0)
            lines = tuple(sorted({line, *self._lines}))
            self.places.append(Place(self._path, line, kind, lines, self._names, possible))


def _head(node: ast.stmt) -> list[ast.expr]:
    """Return the expressions before the block of a compound statement."""
    match node:
        case (
            ast.If(test=head) | ast.While(test=head) | ast.For(iter=head) | ast.AsyncFor(iter=head)
        ):
            return [head]
        case ast.Match(subject=head):
            return [head]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return [item.context_expr for item in items]
    return []


def _last(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Find the statements after which nothing of a function runs."""
    yield block[-1]
    if isinstance(block[-1], ast.Try):
        for handler in block[-1].handlers:
            yield from _last(handler.body)


def _names(targets: list[ast.expr]) -> set[str]:
    found = (node for target in targets for node in ast.walk(target))
    return {node.id for node in found if isinstance(node, ast.Name)}


def _reassigned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Return the names of a function that are assigned more than once."""
    counts: Counter[str] = Counter()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                counts[name] += 1
    return frozenset(name for name, count in counts.items() if count > 1)
