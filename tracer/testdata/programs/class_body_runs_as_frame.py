# tests: a class body is a frame: loops, conditions, calls and deleted names in it, and nested class bodies


def default_for(name):
    return name.upper()


def main():
    limit = 2

    class Settings:
        values = []
        for step in range(limit):
            values.append(step * 10)
        del step
        if len(values) > 1:
            label = default_for("many")
        else:
            label = default_for("few")

        class Nested:
            depth = 2
            text = "deep" * depth

            def read(self):
                return self.text + str(limit)

    return Settings.values, Settings.label, Settings.Nested().read(), hasattr(Settings, "step")
