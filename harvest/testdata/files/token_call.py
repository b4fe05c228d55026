def f(x=1):
    return x
assert f("<|" "a") == 0
if __name__ == "__main__":
    f()
