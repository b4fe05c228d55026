# tests: a program that asks whether it is traced and answers by it
# watched: sys.gettrace() is None without a tracer only
# status: perturbed
import sys


def watched():
    if sys.gettrace() is None:
        return "alone"
    return "watched"


def main():
    answers = []
    for _ in range(2):
        answers.append(watched())
    return answers
