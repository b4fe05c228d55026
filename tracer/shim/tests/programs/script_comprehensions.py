i = 9
a = [i for i in range(2)]
del i
for i in range(2):
    b = i
pairs = [
    (x, y)
    for x in range(2)
    for y in {x: [z for z in "ab"]}
]
later = [lambda: x for x in range(2)]
print(a, b, i, pairs, len(later), "x" in globals())
