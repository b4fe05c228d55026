def f():
	x = 1
	return [y for y in [x] if	y][0]

assert f() == 1
