# tests: executes programs that make themselves less likely to be killed for memory than the server
# output: []
import os, subprocess, sys
INSIDE = '''
import os
got = []
for value in ("-1000", "0", "100", "499"):
    try:
        os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), value.encode())
        got.append(value)
    except OSError:
        pass
print(got)
'''


def f():
    server = int(open('/proc/1/oom_score_adj').read())
    got = eval(subprocess.run([sys.executable, '-S', '-c', INSIDE], stdout=subprocess.PIPE).stdout)
    return [value for value in got if int(value) < server]
