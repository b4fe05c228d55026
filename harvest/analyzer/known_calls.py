"""What calls take and give: builtins, functions of the standard library, methods of builtin types."""

from typing import Dict, List, Tuple

from analyzer.evidence import ITERABLE, NUMBER

INT, STR, FLOAT = {"int": 1.0}, {"str": 1.0}, {"float": 1.0, "int": 0.6}

# What functions take in their first places, and what they give. "iter" stands for anything to iterate over.
FUNCTIONS = {
    "range": (["int", "int", "int"], "list"), "chr": (["int"], "str"), "hex": (["int"], "str"), "bin": (["int"], "str"),
    "oct": (["int"], "str"), "abs": (["number"], "int"), "round": (["number", "int"], "int"), "pow": (["number", "number", "int"], "int"),
    "divmod": (["number", "number"], "tuple"), "str": ([], "str"), "repr": ([], "str"), "ascii": ([], "str"), "bool": ([], "bool"),
    "input": (["str"], "str"), "any": (["iter"], "bool"), "all": (["iter"], "bool"), "open": (["str", "str"], ""),
    "bytes": ([], "bytes"), "bytearray": ([], "bytes"), "format": (["", "str"], "str"), "hash": (["hashable"], "int"), "print": ([], "none"),
    "re.compile": (["str", "int"], ""), "re.match": (["str", "str"], ""), "re.search": (["str", "str"], ""), "re.fullmatch": (["str", "str"], ""),
    "re.findall": (["str", "str"], "list"), "re.finditer": (["str", "str"], "list"), "re.split": (["str", "str"], "list"),
    "re.escape": (["str"], "str"), "re.sub": (["str", "", "str"], "str"), "json.loads": (["json"], "dict"), "json.dumps": ([], "str"),
    "os.path.join": (["str", "str", "str"], "str"), "os.path.basename": (["str"], "str"), "os.path.dirname": (["str"], "str"),
    "os.path.splitext": (["str"], "tuple"), "os.path.split": (["str"], "tuple"), "os.path.exists": (["str"], "bool"),
    "os.path.abspath": (["str"], "str"), "os.path.isdir": (["str"], "bool"), "os.path.isfile": (["str"], "bool"),
    "os.path.normpath": (["str"], "str"), "os.path.normcase": (["str"], "str"), "os.path.isabs": (["str"], "bool"), "os.fspath": (["str"], "str"),
    "os.fsencode": (["str"], "bytes"), "os.fsdecode": (["str"], "str"), "random.choice": (["iter"], ""), "random.sample": (["iter", "int"], "list"),
    "random.randint": (["int", "int"], "int"), "collections.Counter": (["iter"], "dict"), "collections.deque": (["iter"], "list"),
    "itertools.permutations": (["iter", "int"], "list"), "itertools.combinations": (["iter", "int"], "list"), "itertools.product": (["iter", "iter"], "list"),
    "itertools.chain": (["iter", "iter"], "list"), "itertools.islice": (["iter", "int", "int"], "list"), "itertools.groupby": (["iter"], "list"),
    "string.capwords": (["str"], "str"), "copy.copy": ([], ""), "copy.deepcopy": ([], ""), "datetime.datetime.strptime": (["str", "str"], ""),
    "zlib.compress": (["bytes", "int"], "bytes"), "zlib.crc32": (["bytes"], "int"), "zlib.adler32": (["bytes"], "int"),
    "hashlib.md5": (["bytes"], ""), "hashlib.sha1": (["bytes"], ""), "hashlib.sha256": (["bytes"], ""), "codecs.charmap_decode": (["bytes", "str"], "tuple"),
    "codecs.charmap_encode": (["str", "str"], "tuple"), "urllib.parse.urlparse": (["str"], ""), "urllib.parse.quote": (["str"], "str"),
    "base64.b64encode": (["bytes"], "bytes"), "base64.b64decode": (["str"], "bytes"), "binascii.hexlify": (["bytes"], "bytes"),
    "binascii.unhexlify": (["str"], "bytes"), "struct.unpack": (["str", "bytes"], "tuple"), "struct.pack": (["str", "int"], "bytes"),
    "int.from_bytes": (["bytes", "str"], "int"), "bytes.fromhex": (["str"], "bytes"), "str.maketrans": ([], "dict"), "dict.fromkeys": (["iter"], "dict"),
    "heapq.heappush": (["list"], ""), "heapq.heappop": (["list"], ""), "heapq.heapify": (["list"], ""), "heapq.nlargest": (["int", "iter"], "list"),
    "heapq.nsmallest": (["int", "iter"], "list"), "bisect.bisect_left": (["list"], "int"), "bisect.bisect_right": (["list"], "int"),
    "bisect.bisect": (["list"], "int"), "bisect.insort": (["list"], ""), "operator.index": (["int"], "int"), "unicodedata.normalize": (["str", "str"], "str"),
    "functools.reduce": (["callable", "iter"], ""), "textwrap.wrap": (["str", "int"], "list"), "textwrap.dedent": (["str"], "str"),
    "statistics.mean": (["numbers"], "float"), "statistics.median": (["numbers"], "float"), "fractions.Fraction": (["int", "int"], ""),
    "decimal.Decimal": (["number"], ""), "iter": (["iter"], ""), "next": (["iterator"], ""), "callable": ([], "bool"), "getattr": (["", "str"], ""),
    "setattr": (["", "str"], ""), "hasattr": (["", "str"], "bool"), "memoryview": (["bytes"], "bytes"), "complex": (["number", "number"], "complex"),
}  # type: Dict[str, Tuple[List[str], str]]
TAKEN = {
    "int": INT, "str": STR, "float": FLOAT, "number": NUMBER, "iter": ITERABLE, "numbers": {"list": 1.0, "tuple": 0.2}, "bytes": {"bytes": 1.0},
    "json": STR, "list": {"list": 1.0}, "callable": {"callable": 1.0}, "hashable": {"str": 1.0, "int": 1.0, "tuple": 0.5},
    "iterator": {"list": 0.3},
}  # type: Dict[str, Dict[str, float]]

# Arguments of methods, by what the value is of; "self" is a value of the same kind, "item" one of its items.
METHODS = {
    "str": {
        "split": ["self", "int"], "rsplit": ["self", "int"], "strip": ["self"], "lstrip": ["self"], "rstrip": ["self"], "replace": ["self", "self", "int"],
        "startswith": ["self", "int"], "endswith": ["self", "int"], "find": ["self", "int", "int"], "rfind": ["self", "int", "int"],
        "index": ["self", "int", "int"], "rindex": ["self", "int", "int"], "count": ["self"], "partition": ["self"], "rpartition": ["self"],
        "center": ["int", "char"], "ljust": ["int", "char"], "rjust": ["int", "char"], "zfill": ["int"], "removeprefix": ["self"], "removesuffix": ["self"],
        "join": ["strings"], "expandtabs": ["int"], "encode": ["str"], "maketrans": ["self", "self", "self"],
    },
    "bytes": {"split": ["self"], "replace": ["self", "self"], "startswith": ["self"], "endswith": ["self"], "find": ["self"], "index": ["self"], "count": ["self"]},
    "list": {
        "append": ["item"], "insert": ["int", "item"], "remove": ["item"], "index": ["item", "int", "int"], "count": ["item"], "extend": ["like"],
        "pop": ["int"],
    },
    "set": {"add": ["item"], "discard": ["item"], "remove": ["item"], "union": ["like"], "intersection": ["like"], "difference": ["like"], "update": ["like"],
            "issubset": ["like"], "issuperset": ["like"]},
    "dict": {"get": ["key", "value"], "pop": ["key", "value"], "setdefault": ["key", "value"], "update": ["self"], "fromkeys": ["iter"]},
    "tuple": {"index": ["item"], "count": ["item"]},
}  # type: Dict[str, Dict[str, List[str]]]
RESULTS = {
    "split": "list", "rsplit": "list", "splitlines": "list", "partition": "tuple", "rpartition": "tuple", "join": "str", "find": "int",
    "rfind": "int", "index": "int", "rindex": "int", "count": "int", "encode": "bytes", "decode": "str", "startswith": "bool", "endswith": "bool", "format": "str",
    "bit_length": "int", "is_integer": "bool", "hex": "str",
}
