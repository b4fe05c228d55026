# tests: a loop without an end
# status: event_limit
# detail: raise trace.limits.events
def f():
    while True:
        pass
