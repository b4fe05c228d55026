# tests: a thread changes a list that main holds, at points that a handshake fixes, between two lines of main
# watched: the change has no frame in the trace and must not pass for the effect of main's line
import threading


def helper(box, go, done):
    for n in range(2):
        go.wait()
        go.clear()
        box.append(n)
        done.set()


def main():
    box, go, done = [], threading.Event(), threading.Event()
    thread = threading.Thread(target=helper, args=(box, go, done))
    thread.start()
    sizes = []
    for _ in range(2):
        go.set()
        done.wait()
        done.clear()
        sizes.append(len(box))
    thread.join()
    return sizes, box
