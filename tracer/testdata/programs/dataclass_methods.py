# tests: dataclass __init__, __post_init__, default factories, equality, order, replace and frozen instances
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace


def fresh_tags():
    return ["new"]


@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False, default="task")
    tags: list = field(default_factory=fresh_tags, compare=False)

    def __post_init__(self):
        self.priority = abs(self.priority)


@dataclass(frozen=True)
class Fixed:
    value: int


def main():
    tasks = [Task(-3, "c"), Task(1), Task(2, tags=[])]
    tasks[1].tags.append("hot")
    first = min(tasks)
    changed = replace(first, priority=9)
    fixed = Fixed(1)
    try:
        fixed.value = 2
    except FrozenInstanceError:
        frozen = True
    return asdict(first), changed > tasks[0], Task(3) == tasks[0], frozen, fixed == Fixed(1)
