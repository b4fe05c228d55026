# tests: an executor that runs functions in another thread, with results, an exception, and order kept by map
# nondeterministic: whether a future is done at an event depends on the scheduler
# watched: the functions run in threads that are not traced
from concurrent.futures import ThreadPoolExecutor


def inverse(n):
    return 12 // n


def main():
    with ThreadPoolExecutor(max_workers=1) as pool:
        halves = list(pool.map(inverse, [2, 3]))
        failing = pool.submit(inverse, 0)
        try:
            failing.result()
        except ZeroDivisionError as problem:
            halves.append(type(problem).__name__)
    return halves
