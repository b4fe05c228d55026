# tests: locals with lone surrogates, control characters, numbers beyond 4300 digits, cycles and shared parts


def hold(value, log):
    kind = type(value).__name__
    log.append(kind)
    return value


def main():
    log = []
    lone = hold("a\ud800b", log)
    control = hold("\x00\x1b[31m\u202e\u2028", log)
    quotes = hold("'\"\\\n", log)
    huge = hold(10 ** 5000, log)
    small = hold(-(2 ** 63) - 1, log)
    raw = hold(bytes(range(0, 256, 51)), log)
    loop = hold({}, log)
    loop["self"] = loop
    shared = hold([raw, [raw], loop], log)
    nested = hold([[[[[[[[[[["deep"]]]]]]]]]]], log)
    keys = hold({(1, None): {1.5, -0.0}, frozenset([2]): ..., lone[1:2]: type}, log)
    size = huge.bit_length(), len(lone), len(control), len(quotes), len(keys)
    return size, small, len(shared), len(nested), log
