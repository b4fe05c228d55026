# tests: generator expressions drawn by C functions (sum, any, all, join, max), some of them not to their end


def weigh(item):
    return len(item) + item.count("e")


def main():
    words = ["tree", "stone", "sky"]
    total = sum(weigh(w) for w in words)
    some = any(w.startswith("s") for w in words)
    every = all(weigh(w) > 4 for w in words)
    text = "-".join(w[0] for w in words)
    best = max((weigh(w), w) for w in words)
    last = min((w for w in words if "z" in w), default="none", key=weigh)
    return total, some, every, text, best, last
