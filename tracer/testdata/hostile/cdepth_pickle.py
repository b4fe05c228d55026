# tests: a nested value for a writer in C
# status: exception
# detail: RecursionError
import pickle


def f():
    value = []
    exec("for _ in range(100000): value = [value]\nkept.append(value)", {'value': value, 'kept': KEPT})
    return pickle.dumps(KEPT)


KEPT = []
