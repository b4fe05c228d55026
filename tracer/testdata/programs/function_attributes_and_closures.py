# tests: functions as values: attributes, closures in a list, a bound method kept, a nested def run in a loop


def make_counter(start):
    def count():
        count.calls += 1
        return start + count.calls
    count.calls = 0
    return count


class Greeter:
    word = "hi"

    def greet(self, name="you"):
        return self.word + " " + name


def main():
    counters = [make_counter(10 * i) for i in range(2)]
    values = [c() for c in counters + counters]
    greeter = Greeter()
    bound = greeter.greet
    greeter.word = "bye"
    made = []
    for n in range(2):
        def scaled(x, n=n):
            return x * n
        made.append(scaled)
    return values, bound(), Greeter.greet(greeter, "me"), [f(7) for f in made], counters[0].calls
