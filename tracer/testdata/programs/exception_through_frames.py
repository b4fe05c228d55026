# tests: one exception passes three frames, one of which only cleans up; the traceback has each line once


def low(data, key):
    return data[key]


def middle(data, key, log):
    try:
        return low(data, key)
    finally:
        log.append("middle left")


def high(data, key, log):
    value = middle(data, key, log)
    log.append("not reached for " + key)
    return value


def main():
    log = []
    out = high({"a": 1}, "a", log)
    try:
        high({"a": 1}, "b", log)
    except KeyError as problem:
        tb, names = problem.__traceback__, []
        while tb is not None:
            names.append(tb.tb_frame.f_code.co_name)
            tb = tb.tb_next
        log.append(names)
    return out, log
