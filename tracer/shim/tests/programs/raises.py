class Error(Exception):
    def __str__(self):
        return "never called"


def main():
    x = 1
    raise Error("text", x)
