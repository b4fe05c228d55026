# tests: a finally block that returns, breaks or continues throws the exception or the earlier return away
# note: 3.14 warns of these at compile time (PEP 765), the meaning is unchanged


def returns():
    try:
        return "from try"
    finally:
        return "from finally"


def breaks(items):
    for item in items:
        try:
            item = 1 / item
        finally:
            break
    return item


def continues(items):
    done = []
    for item in items:
        try:
            done.append(6 // item)
        finally:
            continue
    return done


def main():
    return returns(), breaks([0, 4]), breaks([4]), continues([1, 0, 3])
