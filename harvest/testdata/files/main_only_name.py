def f(x):
    return x
if __name__ == "__main__":
    import json
    DATA = [1]
    f(DATA)
    f(json)
    f(sorted)
