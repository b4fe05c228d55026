"""Random choices that are the same in every version of the interpreter."""

import random
from typing import List, Sequence, TypeVar

T = TypeVar("T")


class Chance:
    """Choices that follow from a text. Only random.random() is used, which alone is promised never to change."""

    def __init__(self, seed: str) -> None:
        self._next = random.Random(seed).random

    def below(self, n: int) -> int:
        return int(self._next() * n)

    def odds(self, probability: float) -> bool:
        return self._next() < probability

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[T], n: int) -> List[T]:
        """n of the choices, in any order, none twice."""
        left = list(choices)
        return [left.pop(self.below(len(left))) for _ in range(min(n, len(left)))]
