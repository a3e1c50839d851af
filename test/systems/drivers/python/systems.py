"""Queries filters of a Python library through a module of this folder. ../../asking.ts describes queries and answers."""

import importlib
import sys

library = importlib.import_module(sys.argv[1])


def keys_in(file):
    """The keys of a file, each of which ends with NUL."""
    with open(file, "rb") as keys:
        return keys.read().split(b"\0")[:-1]


def answer(verb, sort, file, *words):
    if verb == "has":
        _, keys = words
        return "".join("01"[found] for found in library.has(sort, file, keys_in(keys)))
    if verb == "make":
        _, keys, items, rate = words
        library.make(sort, file, keys_in(keys), int(items), float(rate))
        return "made"
    if verb == "merge":
        library.unite(sort, file, *words)
        return "merged"
    if verb == "estimate":
        return str(library.estimate(file))
    if verb == "write":
        library.write_columns(sort, file, *words)
        return "written"
    raise ValueError(f"{verb} is not known")


for request in sys.stdin:
    try:
        print(answer(*request.rstrip("\n").split("\t")))
    except Exception as error:
        print(f"error: {error!r}")
library.close()
