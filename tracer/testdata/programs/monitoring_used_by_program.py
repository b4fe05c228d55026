# tests: the program registers a tool of its own with sys.monitoring beside the tracer
# requires: 3.12
# watched: sys.monitoring and sys.settrace share their machinery; the program sees its own events only
import sys

TOOL = 4


def work(n):
    total = 0
    for i in range(n):
        total += i
    return total


def main():
    monitoring, starts = sys.monitoring, []
    monitoring.use_tool_id(TOOL, "own")
    monitoring.register_callback(TOOL, monitoring.events.PY_START, lambda code, at: starts.append(code.co_name))
    monitoring.set_local_events(TOOL, work.__code__, monitoring.events.PY_START)
    try:
        value = work(3)
    finally:
        monitoring.set_local_events(TOOL, work.__code__, 0)
        monitoring.free_tool_id(TOOL)
    return value, starts
