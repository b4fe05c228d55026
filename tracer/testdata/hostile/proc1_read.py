# tests: what /proc says of the server, to those that may ask
# output: []
import os


def f():
    got = []
    for name in ('mem', 'environ', 'maps', 'smaps', 'smaps_rollup', 'numa_maps', 'auxv', 'io', 'stack', 'syscall', 'pagemap', 'personality', 'wchan',
                 'patch_state', 'timerslack_ns', 'mountstats', 'task/1/mem', 'task/1/environ', 'task/1/maps'):
        try:
            if open('/proc/1/' + name, 'rb').read(100).strip(b'0'):
                got.append(name)
        except OSError:
            pass
    for name in ('fd', 'fdinfo', 'map_files', 'root', 'cwd', 'task/1/fd', 'ns'):
        try:
            listing = os.listdir('/proc/1/' + name)
            if name != 'ns':
                got.append(name)
        except OSError:
            pass
    for name in ('exe', 'root', 'cwd', 'fd/0', 'fd/1', 'fd/3', 'ns/pid', 'ns/mnt', 'ns/user'):
        try:
            got.append(os.readlink('/proc/1/' + name))
        except OSError:
            pass
    return got
