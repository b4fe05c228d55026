# tests: the shortest entry: a body of one statement, no call, no return statement, a result of None


COUNT = []


def main():
    COUNT.append(1)


def unused():
    return main


# The rest of this file is a comment, so that lines of the source lie behind the last line that runs.
# It ends here.
