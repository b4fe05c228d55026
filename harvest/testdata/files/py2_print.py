def f():
    print "x"
