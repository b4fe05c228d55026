# tests: every file system that is mounted, and whether it can be written to
# output: ['/tmp']
import os


def f():
    got = []
    with open('/proc/self/mountinfo') as file:
        places = [line.split()[4] for line in file]
    for place in places:
        path = place if not os.path.isdir(place) else os.path.join(place, 'made')
        if not os.path.isdir(place) and os.stat(place).st_rdev:
            continue  # /dev/null and its like, or laid over a file that is not to be read
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            got.append(place)
        except OSError:
            pass
    return sorted(set(got))
