# tests: a loop that never ends and repeats its state, until a limit of events ends it
# status: event_limit


def turn(n):
    return (n + 1) % 3


def main():
    n = 0
    while True:
        n = turn(n)
