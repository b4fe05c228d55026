"""What a statement asserts: `assert f(3) == 4`, and the methods of unittest.TestCase, such as `self.assertEqual(f(3), 4)`."""

import ast
from typing import List, NamedTuple, Optional, Tuple

from analyzer.expressions import is_literal
from analyzer.module import Text

# Of unittest.TestCase, those that say that two values are equal. assertCountEqual is none: it says nothing of the order.
_EQUAL = frozenset(
    "assertEqual assertEquals assertIs assertListEqual assertTupleEqual assertSetEqual assertDictEqual assertSequenceEqual"
    " assertMultiLineEqual".split()
)
_CONDITIONS = frozenset(["assertTrue", "assert_", "assertFalse"])
# How many values each of the others looks at; what comes after them is a message or a tolerance.
_VALUES = {
    "assertNotEqual": 2, "assertIsNot": 2, "assertIsNotNone": 1, "assertIsInstance": 2, "assertNotIsInstance": 2, "assertIn": 2,
    "assertNotIn": 2, "assertAlmostEqual": 2, "assertNotAlmostEqual": 2, "assertGreater": 2, "assertGreaterEqual": 2, "assertLess": 2,
    "assertLessEqual": 2, "assertCountEqual": 2, "assertRegex": 2, "assertNotRegex": 2,
}  # fmt: skip


class Asserted(NamedTuple):
    """The expressions that an assert looks at, and of one of them, the subject, the literal that it is said to equal."""

    values: List[ast.expr]
    subject: Optional[ast.expr] = None
    expected: Optional[str] = None


def asserted(statement: ast.AST, text: Text) -> Optional[Asserted]:
    """None for a statement that asserts nothing of values."""
    if isinstance(statement, ast.Assert):
        return Asserted([statement.test], *_compared(statement.test, text))
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "self"):
        return None
    method, args = call.func.attr, call.args
    if any(isinstance(arg, ast.Starred) for arg in args):
        return None
    if method in _EQUAL and len(args) >= 2:
        return Asserted(args[:2], *_equal(args[0], args[1], text))
    if method in _CONDITIONS and args:
        claimed = _compared(args[0], text) if method != "assertFalse" else (None, None)
        return Asserted(args[:1], *claimed)
    if method == "assertIsNone" and args:
        return Asserted(args[:1], _awaited(args[0]), "None")
    if method in _VALUES and len(args) >= _VALUES[method]:
        return Asserted(args[:_VALUES[method]])
    return None


def _compared(test: ast.expr, text: Text) -> Tuple[Optional[ast.expr], Optional[str]]:
    """The call, and the literal that it is said to equal, of `call == literal` or `literal == call`."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        return None, None
    left, right = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Is) and not isinstance(getattr(right, "value", ""), (bool, type(None))):
        return None, None
    if not isinstance(test.ops[0], (ast.Eq, ast.Is)):
        return None, None
    return _equal(left, right, text)


def _equal(left: ast.expr, right: ast.expr, text: Text) -> Tuple[Optional[ast.expr], Optional[str]]:
    for subject, literal in ((left, right), (right, left)):
        said = text.segment(literal)
        if is_literal(said):
            return _awaited(subject), said
    return None, None


def _awaited(subject: ast.expr) -> ast.expr:
    return subject.value if isinstance(subject, ast.Await) else subject
