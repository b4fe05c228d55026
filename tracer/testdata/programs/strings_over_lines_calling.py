# tests: triple-quoted strings and f-strings over several lines with calls in their fields, implicit joins


def word(n):
    return "w" * n


def main():
    text = """first line
  second line, not code: def main():
"""
    filled = f"""
{word(1)} then
{word(2)!r:>6} and {
    word(3)
}
"""
    joined = ("a"
              f"{word(1)}"
              "b"
              f"{word(len(text.splitlines()))}")
    debug = f"{len(joined)=}"
    return filled.split(), joined, debug
