"""Exact sets of filtercascade: exact.py build MEMBERS UNIVERSE SET, exact.py count SET LINES"""

import sys

from filtercascade import FilterCascade


def lines_of(file):
    with open(file, "rb") as lines:
        return lines.read().rstrip(b"\n").split(b"\n")


def build(members, universe, name):
    included = set(lines_of(members))
    excluded = set(lines_of(universe)) - included
    cascade = FilterCascade()
    cascade.set_crlite_error_rates(include_len=len(included), exclude_len=len(excluded))
    cascade.initialize(include=included, exclude=excluded)
    with open(name, "wb") as file:
        cascade.tofile(file)


def count(name, lines):
    with open(name, "rb") as file:
        cascade = FilterCascade.from_buf(file.read())
    print(sum(key in cascade for key in lines_of(lines)))


{"build": build, "count": count}[sys.argv[1]](*sys.argv[2:])
