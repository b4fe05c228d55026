# tests: tracemalloc counts what the program allocates
# nondeterministic: in 3.8 what is counted of a run with another hash seed is another number of bytes
# watched: what the tracer allocates is counted too
import tracemalloc


def allocate(n):
    return [bytes(1000) + bytes([i]) for i in range(n)]


def main():
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        kept = allocate(5)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return len(kept), after - before > 5000, peak >= after
