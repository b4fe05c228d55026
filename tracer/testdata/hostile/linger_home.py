# tests: marks its home with times and attributes, which an empty directory can have as well
# output: 'marked'
# after: []
import os


def f():
    os.utime('.', (42, 42))
    for name in ('user.mark', 'system.posix_acl_default'):
        try:
            os.setxattr('.', name, b'\x02\x00\x00\x00')
        except OSError:
            pass
    return 'marked'


def after():
    got = os.listxattr('.')
    if os.stat('.').st_mtime == 42 or os.stat('.').st_atime == 42:
        got.append('times')
    return got
