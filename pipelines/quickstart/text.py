"""Strings: counting, parsing, encoding."""

VOWELS = "aeiou"


def vowels(word):
    """
    >>> vowels("education")
    {'e': 1, 'u': 1, 'a': 1, 'i': 1, 'o': 1}
    >>> vowels("rhythm")
    {}
    """
    counts = {}
    for letter in word:
        if letter in VOWELS:
            counts[letter] = counts.get(letter, 0) + 1
    return counts


def run_lengths(text):
    """
    >>> run_lengths("aaabcc")
    'a3b1c2'
    >>> run_lengths("")
    ''
    """
    out = []
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or text[end] != text[start]:
            out.append("%s%d" % (text[start], end - start))
            start = end
    return "".join(out)


def caesar(text, shift=3):
    """
    >>> caesar("xyz")
    'abc'
    >>> caesar("Hello, World", shift=-1)
    'Gdkkn, Vnqkc'
    """

    def turn(letter, base):
        return chr((ord(letter) - base + shift) % 26 + base)

    out = ""
    for letter in text:
        if letter.islower():
            letter = turn(letter, ord("a"))
        elif letter.isupper():
            letter = turn(letter, ord("A"))
        out += letter
    return out


def parse_query(query):
    """
    >>> parse_query("a=1&b=2&a=3&flag")
    {'a': ['1', '3'], 'b': ['2'], 'flag': ['']}
    >>> parse_query("k=v=w")
    {'k': ['v=w']}
    """
    fields = {}
    for pair in query.split("&"):
        key, _, value = pair.partition("=")
        fields.setdefault(key, []).append(value)
    return fields


def accents(text):
    """Characters and their bytes are not the same number.

    >>> accents("café ☕")
    (6, 9)
    >>> accents("plain")
    (5, 5)
    """
    return len(text), len(text.encode("utf-8"))
