def f(x):
    for i in range(3):
        try:
            if i == x:
                return i
            continue
        finally:
            if i == 1:
                break
    return "fell out"


def main():
    return [f(0), f(1), f(2)]
