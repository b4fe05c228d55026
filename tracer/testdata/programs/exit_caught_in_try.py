# tests: sys.exit in try raises SystemExit, which finally sees, except Exception does not, and the caller catches
import sys


def leave(code, log):
    try:
        sys.exit(code)
    except Exception:
        log.append("never")
    finally:
        log.append("finally")


def main():
    log = []
    for code in (0, "message", None):
        try:
            leave(code, log)
        except SystemExit as stop:
            log.append(stop.code)
    return log
