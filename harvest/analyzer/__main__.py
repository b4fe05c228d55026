"""Entry point: frames on stdin, frames on stdout. Argument: the limits, as a JSON object."""

import json
import os
import sys

# Isolated mode (-I) leaves the script's directory out of sys.path, and so keeps the program's files out too.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from analyzer import requests, server  # noqa: E402

if __name__ == "__main__":
    limits = server.Limits(**json.loads(sys.argv[1]) if len(sys.argv) > 1 else {})
    server.serve(sys.stdin.buffer, sys.stdout.buffer, requests.answer, limits, requests.without_tests)
