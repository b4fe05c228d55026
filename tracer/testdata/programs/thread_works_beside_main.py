# tests: threads that run to their end while main waits; their frames are not main's, their effects are seen
# watched: sys.settrace traces one thread only, so that what the others do is not in the trace
import threading


def fill(box, start):
    for n in range(3):
        box.append(start + n)


def main():
    box, other = [], []
    first = threading.Thread(target=fill, args=(box, 10))
    first.start()
    first.join()
    second = threading.Thread(target=fill, args=(other, 20))
    second.start()
    second.join()
    return box, other, len(box + other)
