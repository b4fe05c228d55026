"""What a parameter's name, and what the docstring says of it, make likely. Uses weigh more."""

import re
from typing import Dict, List, Tuple

from analyzer.evidence import Node

_STRINGS = (
    "s str string text txt word line sentence char ch letter chars name key prefix suffix sep separator delimiter delim pattern message "
    "msg path filename title url label lang encoding s1 s2 str1 str2 word1 word2 a_string phrase content body html xml value_str sub "
    "substring substr old new code email password username date_string query token comment paragraph haystack needle"
)
_INTEGERS = (
    "n m k i j x y z num number count size length width height index idx pos position start end stop step limit low high lo hi max_len "
    "depth level target total amount year month day hour minute second seconds left right base exp power mod modulus a b c p q r age "
    "rows cols columns col row times times_count offset degree order precision digits num1 num2 val"
)
_FLOATS = "rate ratio price weight temperature temp radius angle alpha beta gamma eps epsilon tol tolerance probability prob lat lon x0 y0 dt"
_LISTS_OF_NUMBERS = (
    "nums numbers arr array lst l xs ys values vals data items elements seq sequence list li a_list integers ints scores weights prices "
    "heights sizes indices list1 list2 arr1 arr2 nums1 nums2 coefficients vector v numeric vec costs"
)
_LISTS_OF_STRINGS = "words strings lines names tokens keys strs texts args argv sentences labels parts files paths letters"
_MATRICES = "matrix grid board mat table rows_list image points pairs edges intervals tuples m1 m2 matrices lists graph_edges"
_DICTS = "d dic dict dictionary mapping map config options kwargs params counts record row_dict obj json_data mydict tree graph hash_map"
_FLAGS = "flag verbose reverse strict force debug enabled recursive inplace ascending case_sensitive ignore_case"
_CALLABLES = "func fn f callback predicate function key_func pred callable_ action g op operation handler transform mapper"
_SETS = "visited seen unique a_set set1 set2"

_NAMES = {}  # type: Dict[str, Tuple[Dict[str, float], str]]
for _words, _kinds, _item in (
    (_STRINGS, {"str": 8.0}, ""),
    (_INTEGERS, {"int": 3.0}, ""),
    (_FLOATS, {"float": 5.0, "int": 1.5}, ""),
    (_LISTS_OF_NUMBERS, {"list": 5.0}, "int"),
    (_LISTS_OF_STRINGS, {"list": 5.0}, "str"),
    (_MATRICES, {"list": 6.0}, "list"),
    (_DICTS, {"dict": 6.0}, ""),
    (_FLAGS, {"bool": 8.0}, ""),
    (_CALLABLES, {"callable": 15.0}, ""),
    (_SETS, {"set": 8.0}, ""),
):
    for _word in _words.split():
        _NAMES.setdefault(_word, (_kinds, _item))

_SAID = (
    (re.compile(r"\b(list|sequence|array|iterable|collection)\b", re.I), "list"),
    (re.compile(r"\b(dict|dictionary|mapping|map)\b", re.I), "dict"),
    (re.compile(r"\b(str|string|text|name of|filename|path)\b", re.I), "str"),
    (re.compile(r"\b(int|integer|index|number of|count)\b", re.I), "int"),
    (re.compile(r"\b(float|real|double|decimal)\b", re.I), "float"),
    (re.compile(r"\b(bool|boolean|if true|whether)\b", re.I), "bool"),
    (re.compile(r"\b(tuple|pair)\b", re.I), "tuple"),
    (re.compile(r"\b(set)\b", re.I), "set"),
    (re.compile(r"\b(callable|function|callback)\b", re.I), "callable"),
    (re.compile(r"\b(bytes|byte string|bytes-like)\b", re.I), "bytes"),
)  # type: Tuple[Tuple[re.Pattern, str], ...]


def name(parameter: str, node: Node) -> None:
    """Weighs kinds by a parameter's name: the whole of it, else its last word."""
    word = parameter.lower().strip("_")
    for candidate in (word, word.split("_")[-1], word.split("_")[0], word.rstrip("0123456789")):
        if candidate in _NAMES:
            kinds, item = _NAMES[candidate]
            node.likely(kinds)
            if item:
                node.part("iter").likely({item: 4.0 if item != "list" else 16.0})
            return
    if word.startswith(("is_", "has_", "use_", "allow_", "with_", "no_")):
        node.likely({"bool": 8.0})
    elif word.startswith(("num_", "max_", "min_", "n_")):
        node.likely({"int": 4.0})
    elif word.endswith("s") and len(word) > 3:
        node.likely({"list": 2.0})


def docstring(doc: str, parameter: str, node: Node) -> None:
    """Weighs kinds by what stands behind the parameter's name: `x: int`, `:param str x:`, `x (list of int)`, `:type x: dict`."""
    if not doc or parameter not in doc:
        return
    for phrase in _phrases(doc, parameter):
        for pattern, kind in _SAID:
            found = pattern.search(phrase)
            if found is not None:
                node.likely({kind: 5.0})
                inner = re.search(r"\bof (\w+)", phrase)
                if inner is not None and kind in ("list", "set", "tuple"):
                    _items(inner.group(1).lower(), node)
                break


def _phrases(doc: str, parameter: str) -> List[str]:
    quoted = re.escape(parameter)
    patterns = (
        r":type\s+%s\s*:\s*([^\n]{1,60})" % quoted,
        r":param\s+(\w+)\s+%s\s*:" % quoted,
        r"^\s*\*?%s\s*\(([^)\n]{1,60})\)" % quoted,
        r"^\s*[-*]?\s*`*%s`*\s*:\s*([^\n]{1,60})" % quoted,
        r":param\s+%s\s*:\s*([^\n]{1,60})" % quoted,
    )
    found = []
    for pattern in patterns:
        found.extend(match.group(1) for match in re.finditer(pattern, doc, re.M))
    return found[:3]


def _items(word: str, node: Node) -> None:
    kinds = {"int": "int", "integers": "int", "ints": "int", "numbers": "int", "str": "str", "strings": "str", "words": "str",
             "floats": "float", "float": "float", "lists": "list", "dicts": "dict", "tuples": "tuple", "dictionaries": "dict", "list": "list"}
    if word in kinds:
        node.part("iter").likely({kinds[word]: 8.0})
