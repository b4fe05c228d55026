# tests: results of the random module, pinned by a seed of the program's own, and then of the unseeded one
# status: ok
# nondeterministic: the unseeded generator, where nothing pins it; runs that pin it end ok
import random


def draw(source, n):
    return [source.randrange(100) for _ in range(n)]


def main():
    own = random.Random(7)
    seeded = draw(own, 2)
    again = draw(random.Random(7), 2)
    return seeded == again, draw(random, 2)
