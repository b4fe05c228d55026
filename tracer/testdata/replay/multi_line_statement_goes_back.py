def add(a,
        b):
    return (
        a +
        b
    )


def main():
    return add(
        add(1, 2),
        add(
            3,
            4,
        ),
    )
