"""What is pinned in a program's world, so that two runs of it are the same."""


def install(seed: int, check: bool) -> set:
    """Pin what can be pinned before programs are loaded; the set of notes that pins add to."""
    return set()
