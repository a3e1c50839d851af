"""Filters of pybloom_live, which takes a string for its UTF-8."""

from pybloom_live import BloomFilter, ScalableBloomFilter


def library(sort):
    return ScalableBloomFilter if sort.endswith("-scalable") else BloomFilter


def read(sort, file):
    with open(file, "rb") as stored:
        return library(sort).fromfile(stored)


def write(filter, file):
    with open(file, "wb") as stored:
        filter.tofile(stored)


def has(sort, file, keys):
    filter = read(sort, file)
    return [key.decode() in filter for key in keys]


def make(sort, file, keys, items, rate):
    filter = library(sort)(items, rate)
    for key in keys:
        filter.add(key.decode())
    write(filter, file)


def close():
    pass
