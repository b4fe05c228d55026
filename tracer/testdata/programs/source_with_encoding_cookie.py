# -*- coding: latin-1 -*-
# tests: a source that declares an encoding other than UTF-8 (its bytes are ASCII, so that both read the same)
# note: a text that was decoded before must be compiled without regard to the declaration


def measure(word):
    return len(word), word.upper()


def main():
    words = ["f\xfcr", "\N{LATIN SMALL LETTER E WITH ACUTE}", "abc"]
    out = []
    for word in words:
        out.append(measure(word))
    return out, words[1] == "\xe9"
