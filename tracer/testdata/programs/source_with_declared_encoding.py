# -*- coding: latin-1 -*-
# tests: a source in Latin-1 by its declaration, with such characters in comments, strings and names


def länge(wort):
    return len(wort)  # in Zeichen, nicht in Bytes: ä ist eins


def main():
    wörter = ["für", "é", "abc"]
    längen = []
    for wort in wörter:
        längen.append(länge(wort))
    return längen, wörter[1] == "\xe9"
