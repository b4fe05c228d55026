# tests: nested try statements, else clauses that raise, an except clause whose name is unbound afterwards


def parse(text):
    try:
        try:
            number = int(text)
        except ValueError:
            number = float(text)
        else:
            number += number // 0 if number == 13 else 100
        finally:
            text = text.strip()
    except ValueError as problem:
        answer = "not a number"
    except (ZeroDivisionError, OverflowError) as problem:
        answer = "unlucky"
    else:
        answer = number
    try:
        problem
        bound = True
    except UnboundLocalError:
        bound = False
    return text, answer, bound


def main():
    return [parse(t) for t in ("7", " 2.5", "x", "13")]
