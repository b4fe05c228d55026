"""The rendering budget: its fields, their defaults and their ranges. The reasons are in docs/values.md."""
from typing import Any, Dict, Mapping

# name: (default, least, most)
BUDGET = {
    "depth": (8, 1, 100),
    "items": (200, 0, 1000000),
    "chars": (1000, 0, 10000000),
    "value_chars": (2000, 1, 100000000),
    "nodes": (1000, 1, 10000000),
    "digest_bytes": (65536, 0, 1 << 30),
}
MODES = ("repr", "typed")

LEVEL_CHARS = 640  # what one open level may write after value_chars is used up: names, markers, brackets


def settle(budget: Mapping[str, Any]) -> Dict[str, Any]:
    """The whole budget: defaults filled in; an unknown key or a value out of range is an error that names it."""
    whole = {name: default for name, (default, _, _) in BUDGET.items()}
    whole["mode"] = "repr"
    for name, value in budget.items():
        if name == "mode":
            if value not in MODES:
                raise ValueError("value budget: mode %r is not one of %s" % (value, ", ".join(MODES)))
        elif name not in BUDGET:
            raise ValueError("value budget: unknown field %r; known are mode, %s" % (name, ", ".join(BUDGET)))
        else:
            _, least, most = BUDGET[name]
            if type(value) is not int or not least <= value <= most:
                raise ValueError("value budget: %s is %r; it takes a whole number from %d to %d" % (name, value, least, most))
        whole[name] = value
    return whole


def longest(budget: Mapping[str, Any]) -> int:
    """No text of a renderer with this budget is longer: value_chars, and what closes the open levels."""
    whole = settle(budget)
    return whole["value_chars"] + LEVEL_CHARS * (whole["depth"] + 2)
