# tests: a metaclass: __prepare__ gives the body its namespace, __new__, __init__ and __call__ run as Python frames


class Recording(dict):
    def __init__(self):
        super().__init__()
        self.order = []

    def __setitem__(self, key, value):
        if not key.startswith("__"):
            self.order.append(key)
        super().__setitem__(key, value)


class Meta(type):
    @classmethod
    def __prepare__(mcls, name, bases, **options):
        return Recording()

    def __new__(mcls, name, bases, namespace, tag="none"):
        cls = super().__new__(mcls, name, bases, dict(namespace))
        cls.order, cls.tag = tuple(namespace.order), tag
        return cls

    def __init__(cls, name, bases, namespace, tag="none"):
        super().__init__(name, bases, namespace)

    def __call__(cls, *args):
        made = super().__call__(*args)
        made.made_by = cls.__name__
        return made


def main():
    class Form(metaclass=Meta, tag="web"):
        title = "t"
        size = 2
        title = "again"

    return Form.order, Form.tag, Form().made_by
