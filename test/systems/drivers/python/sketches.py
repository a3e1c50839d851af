"""HyperLogLog sketches of Apache DataSketches. A sort is the type of their registers, HLL_4, HLL_6 or HLL_8, and a colon and the
logarithm of their number."""

from datasketches import hll_sketch, hll_union, tgt_hll_type


def read(file):
    with open(file, "rb") as stored:
        return hll_sketch.deserialize(stored.read())


def estimate(file):
    return read(file).get_estimate()


def unite(sort, file, *others):
    """The union of two sketches, compact."""
    type, log = sort.split(":")
    union = hll_union(int(log))
    for other in others:
        union.update(read(other))
    with open(file, "wb") as stored:
        stored.write(union.get_result(getattr(tgt_hll_type, type)).serialize_compact())


def make(sort, file, keys, items, rate):
    """Compact where the rate is 0, else with all places."""
    type, log = sort.split(":")
    sketch = hll_sketch(int(log), getattr(tgt_hll_type, type))
    for key in keys:
        sketch.update(key.decode())
    with open(file, "wb") as stored:
        stored.write(sketch.serialize_compact() if rate == 0 else sketch.serialize_updatable())


def close():
    pass
