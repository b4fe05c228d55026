# tests: empties every dictionary and list that the collector knows of, but its own
# status: exited or tracer_lost or crashed or ok or exception
# varies: what the collector happens to hold
# output: 'emptied'
import gc


def f():
    own = [globals(), locals()]
    exec('''
for thing in gc.get_objects():
    if type(thing) in (dict, list) and not any(thing is one for one in own) and '__builtins__' not in thing:
        try:
            thing.clear()
        except BaseException:
            pass
''', {'gc': gc, 'own': own})
    return 'emptied'
