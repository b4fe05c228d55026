# tests: each recursive call goes through its wrapper, two frames a level, with state in the closure


def depth_tracked(function):
    deepest = now = 0

    def wrapper(n):
        nonlocal deepest, now
        now += 1
        deepest = max(deepest, now)
        try:
            return function(n)
        finally:
            now -= 1
            wrapper.deepest = deepest

    return wrapper


@depth_tracked
def halve(n):
    return 0 if n <= 0 else 1 + halve(n // 2)


def main():
    return halve(9), halve(1), halve.deepest
