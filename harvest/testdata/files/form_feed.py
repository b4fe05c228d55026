def f():
    return " "

def g():
    return "é"; x = 1
assert f() == " "
assert g() == "é"; assert g() != "éé", f()
