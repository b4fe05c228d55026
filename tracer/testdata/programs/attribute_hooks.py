# tests: __getattr__, __getattribute__, __setattr__, __delattr__ and __dir__ called by attribute syntax


class Proxy:
    def __init__(self, target):
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "log", [])

    def __getattribute__(self, name):
        if name == "secret":
            raise AttributeError("hidden")
        return object.__getattribute__(self, name)

    def __getattr__(self, name):
        self.log.append("get " + name)
        return self.target.get(name, "?")

    def __setattr__(self, name, value):
        self.log.append("set " + name)
        self.target[name] = value

    def __delattr__(self, name):
        self.log.append("del " + name)
        self.target.pop(name, None)

    def __dir__(self):
        return sorted(self.target)


def main():
    p = Proxy({"a": 1})
    p.b = p.a + 1
    values = [p.b, p.secret, p.other]
    del p.a
    return values, dir(p), p.log
