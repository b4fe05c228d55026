class A:
    @staticmethod
    def m():
        def inner(): pass
        return inner


if A:
    def conditional():
        pass


def f(): return 1
assert f() == 1; y = f()
