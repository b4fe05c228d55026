# tests: the host's files, by the names that the mounts give away and by those that everybody knows
# output: []
import os


def f():
    got = []
    paths = ['/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock', '/var/lib/docker', '/home', '/root/.ssh', '/root/.docker',
             '/etc/shadow', '/boot', '/lib/modules', '/var/log', '/run/secrets', '/.dockerenv/x', '/proc/1/root/var/lib', '/host', '/mnt', '/media', '/var/lib/containerd']
    with open('/proc/self/mountinfo') as file:
        for line in file:
            fields = line.split()
            if fields[3] != '/' and not fields[4].startswith(('/proc', '/sys', '/dev', '/etc')):
                paths.append(fields[3])
    for path in paths:
        for read in (lambda: os.listdir(path), lambda: open(path, 'rb').read(1)):
            try:
                if read():
                    got.append(path)
            except OSError:
                pass
    return got
