# tests: threads that run on when the program has returned, and write to everything
# output: 'returned'
import os, threading


def spin():
    exec("while True: os.write(2, b'')", {'os': os})


def f():
    for _ in range(5):
        threading.Thread(target=spin, daemon=True).start()
    return 'returned'
