def f():
    try:
        pass
    except E, e:
        pass
