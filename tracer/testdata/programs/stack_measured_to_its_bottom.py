# tests: the number of frames below main, which are the runner's
# status: ok
# watched: the runner may have another frame below main when it traces, and this program returns their number
# note: other runners have other frames, so that the result holds for one of them only
import sys


def below(frame):
    count = 0
    while frame is not None:
        count += 1
        frame = frame.f_back
        if count > 50:
            break
    return count


def main():
    return below(sys._getframe())
