# tests: asend, athrow and aclose of an async generator, one driven by hand and one by a loop
import asyncio


async def echo(log):
    reply = None
    try:
        while True:
            try:
                reply = yield reply
            except ValueError as problem:
                reply = repr(problem)
    finally:
        log.append("closed")


async def talk(log):
    e = echo(log)
    out = [await e.asend(None), await e.asend(1), await e.athrow(ValueError("v"))]
    await e.aclose()
    return out


def main():
    log = []
    out = asyncio.run(talk(log))
    e = echo(log)
    step = e.asend(None)
    try:
        step.send(None)
    except StopIteration as stop:
        out.append(("by hand", stop.value))
    return out, log[:1]
