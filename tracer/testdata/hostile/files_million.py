# tests: empty files, as many as there can be
# status: exception
# detail: No space left on device
def f():
    exec("for i in range(10**7): open('%d' % i, 'w').close()")
