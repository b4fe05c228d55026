# tests: strings built character by character, by join, by translate, with escapes and characters beyond ASCII


def encode(text):
    out, run = "", 1
    for i, letter in enumerate(text):
        if i + 1 < len(text) and text[i + 1] == letter:
            run += 1
            continue
        out += letter + (str(run) if run > 1 else "")
        run = 1
    return out


def main():
    short = encode("aaabcc")
    vowels = str.maketrans({"a": "4", "e": None})
    mapped = "a tree".translate(vowels)
    quoted = "tab\there\n\"both\" 'quotes' \\ \0 \x7f"
    wide = "naïve \u4f60\u597d \U0001f40d"
    return short, mapped, quoted, wide[::-1], len(wide.encode())
