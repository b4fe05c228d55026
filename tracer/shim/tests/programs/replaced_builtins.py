import builtins


def main():
    def never(*args):
        raise SystemExit("a builtin of the program's")
    saved = builtins.len, builtins.map, builtins.type, builtins.set
    builtins.len = builtins.map = builtins.type = builtins.set = never
    x = [1, 2]
    y = {"a": x}
    builtins.len, builtins.map, builtins.type, builtins.set = saved
    return y
