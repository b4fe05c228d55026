# tests: an expression whose compiled form is large
# status: ok or memory_limit or exception or timeout
# varies: how much of it the interpreter keeps
# output: 'compiled'
import re


def f():
    re.compile('(?:' * 200 + 'a{65000}' + '){100}' * 200)
    return 'compiled'
