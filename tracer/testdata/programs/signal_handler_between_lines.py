# tests: a signal that the program sends to itself: its handler is a frame under the line it interrupts
import signal


def handler(number, frame):
    LOG.append(number == signal.SIGUSR1)
    LOG.append(frame is not None)


LOG = []


def main():
    former = signal.signal(signal.SIGUSR1, handler)
    try:
        LOG.append("before")
        signal.raise_signal(signal.SIGUSR1)
        LOG.append("after")
    finally:
        signal.signal(signal.SIGUSR1, former)
    return sorted(str(entry) for entry in LOG)
