# tests: exec and eval of strings and compiled code: frames of another file name inside the program's own


def offset(n):
    return n + 100


def main():
    space = {"offset": offset}
    exec("def made(n):\n    m = offset(n)\n    return m * 2\n\nvalue = made(1)", space)
    direct = eval("offset(x) + x", {"offset": offset}, {"x": 3})
    code = compile("[offset(i) for i in range(2)]", "own.py", "eval")
    listed = eval(code, space)
    try:
        exec("raise_here = 1 / 0", {})
    except ZeroDivisionError:
        failed = True
    function = eval("lambda n: made(n) - 1", space)
    return space["value"], direct, listed, failed, function(5)
