# tests: __init_subclass__ with keywords, __set_name__ and __class_getitem__ called by class statements and subscripts


class Field:
    def __set_name__(self, owner, name):
        self.name = owner.__name__ + "." + name


class Plugin:
    known = []

    def __init_subclass__(cls, rank=0, **rest):
        super().__init_subclass__(**rest)
        Plugin.known.append((rank, cls.__name__))

    def __class_getitem__(cls, key):
        return "%s<%s>" % (cls.__name__, key)


class Csv(Plugin, rank=2):
    column = Field()


def main():
    class Json(Plugin):
        key = Field()

    return Plugin.known, Csv.column.name, Json.key.name, Json["x"], Plugin[int.__name__]
