log = []


def leaves(note):
    try:
        yield 1
        yield 2
    finally:
        note("closed")


def main():
    for x in leaves(log.append):
        log.append(x)
        break
    log.append("after")
    return log
