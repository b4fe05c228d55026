# tests: every file system that is mounted, and whether it can be written to
# output: ['/tmp']
import os


def f():
    got = []
    with open('/proc/self/mountinfo') as file:
        places = [line.split()[4] for line in file]
    for place in places:
        path = os.path.join(place, 'made') if os.path.isdir(place) else place
        try:
            if path == place and os.stat(place).st_rdev:
                continue  # /dev/null and its like, or laid over a file that is not to be read
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            got.append(place)
        except OSError:
            pass
    return sorted(set(got))
