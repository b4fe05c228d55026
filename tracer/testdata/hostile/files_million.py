# tests: empty files, as many as there can be
# status: exception or timeout
# varies: where the runtime bounds the number of files, that is met first; else the time
def f():
    exec("for i in range(10**7): open('%d' % i, 'w').close()")
