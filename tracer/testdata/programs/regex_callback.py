# tests: re.sub and re.Scanner call Python functions back for each match, one of them with a method
import re


class Counter:
    def __init__(self):
        self.seen = []

    def replace(self, match):
        self.seen.append(match.group())
        return "<%d>" % len(self.seen)


def double(match):
    return str(int(match.group(0)) * 2)


def main():
    counter = Counter()
    doubled = re.sub(r"\d+", double, "a1b22")
    numbered = re.sub(r"[a-z]", counter.replace, "x-y")
    swapped, count = re.subn(r"(\w)(\w)", lambda m: m.group(2) + m.group(1), "abcd")
    return doubled, numbered, counter.seen, swapped, count
