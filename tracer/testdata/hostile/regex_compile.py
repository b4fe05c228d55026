# tests: an expression whose compiled form is large
# output: 'compiled'
import re


def f():
    re.compile('(?:' * 200 + 'a{65000}' + '){100}' * 200)
    return 'compiled'
