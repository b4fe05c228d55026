# tests: says something that the server reads, for an execution after it to find in the memory that it inherits
# output: 'said'
# after: 0
import ctypes
WORDS = 'what', 'another', 'execution', 'has', 'said'


def f():
    for times in range(40):
        print('-'.join(WORDS) * times)
    return 'said'


def user(pid):
    with open('/proc/%s/status' % pid) as file:
        return next(line for line in file if line.startswith('Uid:'))


def after():
    """How often it is there, looked for backwards, since who looks for something has it in memory. Who is the server's own
    user is forked from the server, and finds it."""
    if user('self') == user(1):
        return 0
    backwards = '-'.join(word[::-1] for word in reversed(WORDS)).encode()
    found = 0
    with open('/proc/self/maps') as file:
        spans = [line.split()[0].split('-') for line in file if line.split()[1] == 'rw-p']
    for start, end in spans:
        start, end = int(start, 16), int(end, 16)
        found += ctypes.string_at(start, end - start)[::-1].count(backwards)
    return found
