# tests: turns off what newer tracers are made of
# output: 'off'
import sys


def f():
    monitoring = getattr(sys, 'monitoring', None)
    if monitoring is not None:
        for tool in range(6):
            try:
                monitoring.set_events(tool, 0)
                monitoring.free_tool_id(tool)
            except ValueError:
                pass
    return 'off'
