package sandbox

const orphanArg = "orphan"

func orphan(a, b string) {}
