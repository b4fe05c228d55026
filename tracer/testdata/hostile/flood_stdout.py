# tests: prints without end
# status: output_limit
def f():
    line = 'x' * 4096
    while True:
        print(line)
