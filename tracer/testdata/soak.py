"""What a soak test runs between hostile programs: a little of everything, each with many inputs."""
import datetime
import random
import re
from collections import Counter, defaultdict


class Account:
    def __init__(self, owner, balance):
        self.owner, self.balance = owner, balance

    def take(self, amount):
        if amount > self.balance:
            raise ValueError(self.owner)
        self.balance -= amount
        return self.balance


def loop(n):
    total = 0
    for i in range(n):
        if i % 2:
            total += i
    return total


def text(n):
    words = ('the quick brown fox jumps over the lazy dog ' * 2).split()[:n]
    return ' '.join(sorted(word.capitalize() for word in words)), Counter(words).most_common(2)


def recursion(n):
    return n if n < 2 else recursion(n % 7 - 1) + recursion(n % 7 - 2)


def containers(n):
    groups = defaultdict(list)
    for i in range(n):
        groups[i % 3].append({i: str(i)})
    return dict(groups)


def generator(n):
    def numbers():
        for i in range(n):
            yield i * i
    return sum(numbers())


def caught(n):
    account = Account('a' * n, 5)
    try:
        return account.take(n)
    except ValueError as error:
        return error.args


def raised(n):
    return Account('b', 3).take(n)


def printed(n):
    for i in range(n):
        print(i)
    return re.findall(r'\d', str(n ** 5))


def file(n):
    with open('file%d' % n, 'w') as out:
        out.write('x' * n)
    with open('file%d' % n) as back:
        return len(back.read())


def pinned(n):
    return datetime.datetime.now().isoformat(), [random.randrange(100) for _ in range(n)]
