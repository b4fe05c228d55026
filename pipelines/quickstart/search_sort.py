"""Searching and sorting."""


def binary_search(items, wanted):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(items) and items[low] == wanted else -1


def bubble_sort(items):
    items = items[:]
    for end in range(len(items) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        if not swapped:
            break
    return items


def quicksort(items):
    if len(items) < 2:
        return items
    pivot, *rest = items
    return quicksort([x for x in rest if x < pivot]) + [pivot] + quicksort([x for x in rest if x >= pivot])


def last_letter(word):
    return word[-1]


def by_last_letter(words):
    """sorted() calls back into the module."""
    return sorted(words, key=last_letter)


def shortest_path(graph, start, goal):
    """Breadth first."""
    queue = [[start]]
    seen = {start}
    while queue:
        path = queue.pop(0)
        if path[-1] == goal:
            return path
        for neighbour in graph.get(path[-1], []):
            if neighbour not in seen:
                seen.add(neighbour)
                queue.append(path + [neighbour])
    return None


def test_search():
    assert binary_search([1, 3, 5, 7], 5) == 2
    assert binary_search([1, 3, 5, 7], 4) == -1
    assert binary_search([], 1) == -1


def test_sort():
    assert bubble_sort([3, 1, 2]) == [1, 2, 3]
    assert bubble_sort([1, 2]) == [1, 2]
    assert quicksort([5, 3, 8, 3]) == [3, 3, 5, 8]
    assert quicksort([]) == []
    assert by_last_letter(["ab", "ba", "cc"]) == ["ba", "ab", "cc"]
    assert by_last_letter([]) == []
    assert last_letter("word") == "d"
    assert last_letter([1, 2]) == 2


def test_path():
    assert shortest_path({"a": ["b", "c"], "b": ["d"], "c": ["d"]}, "a", "d") == ["a", "b", "d"]
    assert shortest_path({"a": []}, "a", "z") is None
