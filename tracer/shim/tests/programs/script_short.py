import sys
try:
    n = int(input())
    m = int(input())
except EOFError as error:
    left = sys.stdin.read()
sys.exit(n)
