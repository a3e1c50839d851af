"""Messages of BIP37 by python-bitcoinlib."""

from bitcoin.bloom import CBloomFilter


def has(sort, file, keys):
    with open(file, "rb") as stored:
        filter = CBloomFilter.stream_deserialize(stored)
    return [filter.contains(key) for key in keys]


def make(sort, file, keys, items, rate):
    filter = CBloomFilter(items, rate, 0, CBloomFilter.UPDATE_NONE)
    for key in keys:
        filter.insert(key)
    with open(file, "wb") as stored:
        filter.stream_serialize(stored)


def close():
    pass
