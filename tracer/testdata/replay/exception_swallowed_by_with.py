class Swallow:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return kind is KeyError


def main():
    with Swallow() as s, Swallow():
        {}["missing"]
    with Swallow(): raise KeyError("one line")
    return "went on"
