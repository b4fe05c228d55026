"""Finds the functions and cases of Python source with the interpreter's own parser; it never runs any of it.

Harvest (the Go package) starts `__main__.py` in a sandbox and sends it one file or data set row per frame.
`server` keeps the worker process alive, `source` turns bytes into a program or says why not, `module` finds
functions and blocks, `cases` finds calls (with `expressions`), `requests` puts them together. `generate` makes
calls: `typed` from `annotations` and from `uses` (which gather `evidence` of a value's shape, with `hints` of names),
as `values` of `shapes`; and `mutate` from other calls. Standard library only, CPython 3.8 to 3.14.
"""
