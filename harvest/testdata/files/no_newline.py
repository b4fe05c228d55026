def f(): return 1
assert f() == 1