def f():
    return "<|line_sep|>"

assert f() == 1
