"""Single-place changes of a module: where one can be made, and what the source is after it."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

__all__ = ["Change", "Place", "applied", "shown", "within"]


@dataclass(frozen=True, slots=True)
class Change:
    """`text` instead of what stands from byte `start` to byte `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """One thing in a module that can be changed, in one of several ways."""

    path: str
    line: int
    kind: str
    lines: tuple[int, ...]
    """Those that are executed when this place is."""
    names: frozenset[str]
    """What it helps to make where it is executed by importing: such a line has no tests of its own.

    Those who use one of these names are asked instead.
    """
    changes: tuple[Change, ...]


def applied(source: str, change: Change) -> str:
    """The source after a change. Raises SyntaxError where it is none any more."""
    data = source.encode()
    after = (data[: change.start] + change.text.encode() + data[change.end :]).decode()
    ast.parse(after)
    return after


def shown(path: str, line: int, before: str, after: str) -> str:
    """A change as the lines that went and came."""
    diff = unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    lines = [one for one in diff if not one.startswith(("---", "+++", "@@"))]
    return "\n".join([f"{path}:{line}", *lines])


_COMPARED: dict[type[ast.cmpop], tuple[str, ...]] = {
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
}
_COUNTED: dict[type[ast.operator], tuple[str, str]] = {
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


def within(path: str, source: str, *, tuning: frozenset[str] = frozenset()) -> list[Place]:
    """All places of a module; `tuning` are names of constants that are no rule."""
    tree = ast.parse(source)
    finder = _Finder(path, source, tuning)
    finder.body(tree)
    return finder.places


class _Finder:
    """Goes through a module, and leaves out what `tools.mutation` says."""

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
        self._is_called = False
        self._again: frozenset[str] = frozenset()
        """Names that are given a value more than once, in the function that we are in."""
        self._last: ast.stmt | None = None
        """The statement with which that function ends."""

    # --- statements -----------------------------------------------------------------------

    def body(self, node: ast.AST) -> None:
        """The statements of a module, class, function or block."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self._statement(child)
            elif isinstance(child, ast.excepthandler | ast.match_case):
                self._lines = (getattr(child, "lineno", self._lines[0] if self._lines else 0),)
                if isinstance(child, ast.match_case) and child.guard:
                    self._expression(child.guard)
                self.body(child)

    def _statement(self, node: ast.stmt) -> None:
        if self._is_left_out(node):
            return
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node)
            case ast.ClassDef():
                outer, self._names = self._names, self._names | {node.name}
                self.body(node)
                self._names = outer
            case _ if head := _head(node):
                self._lines = _span(node, head[-1])
                for expression in head:
                    if isinstance(node, ast.If | ast.While):
                        self._condition(expression)
                    self._expression(expression)
                self.body(node)
            case ast.Try() | ast.TryStar():
                self.body(node)
            case _:
                self._simple(node)

    def _simple(self, node: ast.stmt) -> None:
        """A statement that holds no others."""
        self._lines = tuple(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        outer = self._names
        if not self._is_called and isinstance(node, ast.Assign | ast.AnnAssign):
            self._names |= _names(node.targets if isinstance(node, ast.Assign) else [node.target])
        if self._is_droppable(node):
            self._add(node, "statement", self._instead(node, "pass"))
        if isinstance(node, ast.AugAssign):
            self._operator(node, node.target, node.op, node.value)
        for field, child in ast.iter_fields(node):
            if field != "annotation":
                self._children(child)
        self._names = outer

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        before = self._names, self._again, self._is_called, self._last
        self._lines = (node.lineno,)
        self._names |= {node.name}
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self._expression(default)
        self._names, self._again, self._is_called = frozenset(), _given_again(node), True
        self._last = node.body[-1]
        self.body(node)
        self._names, self._again, self._is_called, self._last = before

    def _is_left_out(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assert() | ast.Import() | ast.ImportFrom():
                return True
            case ast.Expr(value=ast.Constant()):
                return True
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="_log")))):
                return True
            case ast.Expr(value=ast.Call(args=[ast.Name(id="_log"), *_])):
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
            case ast.Return(value=None | ast.Constant(value=None)) if node is self._last:
                # That is what happens without it.
                return False
            case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Return():
                return True
            case ast.Continue() | ast.Break() | ast.Delete():
                return True
            case ast.Assign(targets=targets):
                return all(
                    isinstance(target, ast.Attribute | ast.Subscript)
                    or (isinstance(target, ast.Name) and target.id in self._again)
                    for target in targets
                )
            case ast.AnnAssign(target=ast.Attribute()):
                return True
        return False

    # --- expressions ----------------------------------------------------------------------

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
            # It is for us, as an assertion is.
            if value.arg != "strict":
                self._expression(value.value)
        elif isinstance(value, ast.AST):
            for _, child in ast.iter_fields(value):
                self._children(child)

    def _expression(self, node: ast.expr) -> None:
        match node:
            case ast.JoinedStr():
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
                self._add(node, "condition", self._instead(node, str(not value)))
            case int() | float() as number:
                others = (self._instead(node, repr(number + step)) for step in (1, -1))
                self._add(node, "number", *others)

    def _operation(self, node: ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp) -> None:
        match node:
            case ast.Compare():
                operands = (node.left, *node.comparators)
                for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
                    self._between(node, "comparison", left, right, _COMPARED[type(operator)])
            case ast.BoolOp():
                self._bool_op(node)
            case ast.BinOp():
                self._operator(node, node.left, node.op, node.right)
            case ast.UnaryOp(op=ast.Not()):
                self._without(node, "not", "condition")
            case ast.UnaryOp(op=ast.USub()):
                self._without(node, "-", "sign")

    def _condition(self, test: ast.expr) -> None:
        """Turn a condition into its contrary; a comparison or a "not" can do so by itself."""
        match test:
            case ast.UnaryOp(op=ast.Not()) | ast.Compare(ops=[_]) | ast.Constant():
                return
        text = ast.get_source_segment(self._source, test)
        self._add(test, "condition", self._instead(test, f"(not ({text}))"))

    def _bool_op(self, node: ast.BoolOp) -> None:
        """The other word between two, or one of them left out."""
        word, other, left_out = "and", "or", "True"
        if isinstance(node.op, ast.Or):
            word, other, left_out = "or", "and", "False"
        pairs = zip(node.values, node.values[1:], strict=False)
        changes = [self._gap(left, right, rf"\b{word}\b", other) for left, right in pairs]
        changes += [self._instead(one, left_out) for one in node.values]
        self._add(node, "condition", *changes)

    def _operator(
        self, node: ast.AST, left: ast.expr, operator: ast.operator, right: ast.expr
    ) -> None:
        if type(operator) in _COUNTED:
            self._between(node, "sign", left, right, _COUNTED[type(operator)])

    def _without(self, node: ast.expr, word: str, kind: str) -> None:
        start = self._offset(node.lineno, node.col_offset)
        self._add(node, kind, Change(start, start + len(word), ""))

    def _between(
        self, node: ast.AST, kind: str, left: ast.expr, right: ast.expr, signs: tuple[str, ...]
    ) -> None:
        sign, *others = signs
        self._add(node, kind, *(self._gap(left, right, sign, other) for other in others))

    # --- places ---------------------------------------------------------------------------

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _instead(self, node: ast.expr | ast.stmt, text: str) -> Change:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._offset(node.lineno, node.col_offset)
        return Change(start, self._offset(node.end_lineno, node.end_col_offset), text)

    def _gap(self, left: ast.expr, right: ast.expr, sign: str, other: str) -> Change | None:
        """A change of the operator between two operands."""
        assert left.end_lineno is not None
        assert left.end_col_offset is not None
        start = self._offset(left.end_lineno, left.end_col_offset)
        gap = self._data[start : self._offset(right.lineno, right.col_offset)].decode()
        found = re.search(sign, gap)
        return Change(start + found.start(), start + found.end(), other) if found else None

    def _add(self, node: ast.AST, kind: str, *changes: Change | None) -> None:
        good = tuple(change for change in changes if change and self._is_other(change))
        if good:
            line = getattr(node, "lineno", 0)
            lines = tuple(sorted({line, *self._lines}))
            self.places.append(Place(self._path, line, kind, lines, self._names, good))

    def _is_other(self, change: Change) -> bool:
        return change.text != self._data[change.start : change.end].decode()


def _head(node: ast.stmt) -> list[ast.expr]:
    """What a block begins with."""
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


def _span(statement: ast.stmt, head: ast.expr) -> tuple[int, ...]:
    """The lines of a block's head."""
    return tuple(range(statement.lineno, (head.end_lineno or head.lineno) + 1))


def _names(targets: list[ast.expr]) -> set[str]:
    found = (node for target in targets for node in ast.walk(target))
    return {node.id for node in found if isinstance(node, ast.Name)}


def _given_again(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Names of a function that have a value before one of its assignments."""
    counts: dict[str, int] = {}
    for name in _given(function):
        counts[name] = counts.get(name, 0) + 1
    return frozenset(name for name, count in counts.items() if count > 1)


def _given(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
