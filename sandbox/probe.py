"""Print the facts of the interpreter that runs this, as one sandbox frame or, with an argument, as plain JSON."""
import _frozen_importlib_external as importing
import json
import os
import struct
import sys

facts = {
    "implementation": sys.implementation.name,
    "version": sys.version.split()[0],
    "executable": os.path.realpath(sys.executable),
    "prefix": os.path.realpath(sys.base_prefix),
    "stdlib": os.path.realpath(os.path.dirname(os.__file__)),
    "dynload": [os.path.realpath(p) for p in sys.path if os.path.basename(p) == "lib-dynload" and os.path.isdir(p)],
    "magic": importing.MAGIC_NUMBER.hex(),
}
text = json.dumps(facts).encode("ascii")
if len(sys.argv) < 2:
    text = struct.pack("<I", len(text)) + text
sys.stdout.buffer.write(text)
sys.stdout.buffer.flush()
