# tests: a generator whose last reference goes at a break or a del gets its GeneratorExit from the collector
# watched: a tracer that holds the frame or its locals moves the moment of the collection


def reader(log, name):
    log.append("open " + name)
    try:
        for i in range(10):
            yield i
    finally:
        log.append("close " + name)


def main():
    log = []
    for i in reader(log, "loop"):
        if i == 1:
            break
    log.append("after loop")
    held = reader(log, "name")
    next(held)
    del held
    log.append("after del")
    return log
