# tests: raise from, raise from None, an implicit context, and a bare re-raise that keeps its object


class ConfigError(Exception):
    def __init__(self, key):
        super().__init__("no " + key)
        self.key = key


def read(config, key, mode):
    try:
        return config[key]
    except KeyError as cause:
        if mode == "from":
            raise ConfigError(key) from cause
        if mode == "none":
            raise ConfigError(key) from None
        if mode == "context":
            raise ConfigError(key)
        raise


def main():
    out = []
    for mode in ("from", "none", "context", "bare"):
        try:
            read({}, "port", mode)
        except (ConfigError, KeyError) as problem:
            out.append((
                type(problem).__name__,
                type(problem.__cause__).__name__,
                type(problem.__context__).__name__,
                problem.__suppress_context__,
            ))
    return out
