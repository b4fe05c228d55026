# tests: what runs after the module has ended is not traced, and what it prints is kept
import atexit
import threading


def work():
    print(input())


atexit.register(lambda: print("end"))
threading.Thread(target=work).start()

# stdin: "done\n"
