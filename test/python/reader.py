"""A reader of filter files and index files, after src/formats/bloomery/FORMAT.md, src/formats/index-file/INDEX.md and nothing else.

    python3 reader.py FILTER < keys

prints 1 for each key, a line of the standard input, that may be in the set, else 0; ? if another part of the filter knows. The whole file is checked first; what
breaks the format ends with one line on the standard error and exit status 2. For an index, the line of each key has the names of the files
that may have it, with tabs between them.
"""

import hashlib
import ipaddress
import re
import struct
import sys

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF


class Broken(Exception):
    """The file breaks the format."""


def demand(condition, what):
    if not condition:
        raise Broken(what)


# Hashes


def rotl(x, bits):
    return ((x << bits) | (x >> (64 - bits))) & M64


P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def xxh64_round(lane, word):
    return rotl((lane + word * P2) & M64, 31) * P1 & M64


def xxh64(data, seed=0):
    """xxHash specification 0.1.1, section XXH64."""
    at, end = 0, len(data)
    if end >= 32:
        lanes = [(seed + P1 + P2) & M64, (seed + P2) & M64, seed, (seed - P1) & M64]
        while at + 32 <= end:
            words = struct.unpack_from("<4Q", data, at)
            lanes = [xxh64_round(lane, word) for lane, word in zip(lanes, words)]
            at += 32
        h = sum(rotl(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & M64
        for lane in lanes:
            h = ((h ^ xxh64_round(0, lane)) * P1 + P4) & M64
    else:
        h = (seed + P5) & M64
    h = (h + end) & M64
    while at + 8 <= end:
        (word,) = struct.unpack_from("<Q", data, at)
        h = (rotl(h ^ xxh64_round(0, word), 27) * P1 + P4) & M64
        at += 8
    if at + 4 <= end:
        (word,) = struct.unpack_from("<I", data, at)
        h = (rotl(h ^ word * P1 & M64, 23) * P2 + P3) & M64
        at += 4
    for byte in data[at:]:
        h = rotl(h ^ byte * P5 & M64, 11) * P1 & M64
    h = (h ^ h >> 33) * P2 & M64
    h = (h ^ h >> 29) * P3 & M64
    return h ^ h >> 32


SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def read64(data, at):
    return int.from_bytes(data[at : at + 8], "little")


def read32(data, at):
    return int.from_bytes(data[at : at + 4], "little")


def fold(a, b):
    product = a * b
    return product & M64 ^ product >> 64


def avalanche3(h):
    h = (h ^ h >> 37) * 0x165667919E3779F9 & M64
    return h ^ h >> 32


def avalanche64(h):
    h = (h ^ h >> 33) * P2 & M64
    h = (h ^ h >> 29) * P3 & M64
    return h ^ h >> 32


def mix16(data, at, secret_at, seed):
    return fold(
        read64(data, at) ^ read64(SECRET, secret_at) + seed & M64,
        read64(data, at + 8) ^ read64(SECRET, secret_at + 8) - seed & M64,
    )


def xxh3(data, seed=0):
    """xxHash specification 0.2.0, section XXH3, the variant of 64 bits."""
    n = len(data)
    if n == 0:
        return avalanche64(seed ^ read64(SECRET, 56) ^ read64(SECRET, 64))
    if n <= 3:
        combined = data[n - 1] | n << 8 | data[0] << 16 | data[n >> 1] << 24
        return avalanche64(combined ^ (read32(SECRET, 0) ^ read32(SECRET, 4)) + seed & M64)
    if n <= 8:
        low = seed & M32
        swapped = seed ^ int.from_bytes(low.to_bytes(4, "little"), "big") << 32
        words = read32(data, n - 4) | read32(data, 0) << 32
        h = words ^ (read64(SECRET, 8) ^ read64(SECRET, 16)) - swapped & M64
        h ^= rotl(h, 49) ^ rotl(h, 24)
        h = h * 0x9FB21C651E98DF25 & M64
        h ^= (h >> 35) + n & M64
        h = h * 0x9FB21C651E98DF25 & M64
        return h ^ h >> 28
    if n <= 16:
        low = read64(data, 0) ^ (read64(SECRET, 24) ^ read64(SECRET, 32)) + seed & M64
        high = read64(data, n - 8) ^ (read64(SECRET, 40) ^ read64(SECRET, 48)) - seed & M64
        return avalanche3((n + int.from_bytes(low.to_bytes(8, "little"), "big") + high + fold(low, high)) & M64)
    if n <= 128:
        h = n * P1
        for i in range((n - 1) // 32, -1, -1):
            h += mix16(data, 16 * i, 32 * i, seed) + mix16(data, n - 16 * i - 16, 32 * i + 16, seed)
        return avalanche3(h & M64)
    if n <= 240:
        h = n * P1 + sum(mix16(data, 16 * i, 16 * i, seed) for i in range(8))
        h = avalanche3(h & M64)
        h += sum(mix16(data, 16 * i, 16 * (i - 8) + 3, seed) for i in range(8, n // 16))
        h += mix16(data, n - 16, 136 - 17, seed)
        return avalanche3(h & M64)
    return xxh3_long(data, seed)


def xxh3_long(data, seed):
    n = len(data)
    secret = b"".join(
        struct.pack("<QQ", read64(SECRET, i) + seed & M64, read64(SECRET, i + 8) - seed & M64) for i in range(0, 192, 16)
    )
    lanes = [0xC2B2AE3D, P1, P2, P3, P4, 0x85EBCA77, P5, 0x9E3779B1]

    def accumulate(at, secret_at):
        for i in range(8):
            word = read64(data, at + 8 * i)
            keyed = word ^ read64(secret, secret_at + 8 * i)
            lanes[i ^ 1] = lanes[i ^ 1] + word & M64
            lanes[i] = lanes[i] + (keyed & M32) * (keyed >> 32) & M64

    stripes = (192 - 64) // 8
    blocks = (n - 1) // (64 * stripes)
    for block in range(blocks):
        for stripe in range(stripes):
            accumulate(64 * (block * stripes + stripe), 8 * stripe)
        for i in range(8):
            lane = lanes[i]
            lanes[i] = (lane ^ lane >> 47 ^ read64(secret, 192 - 64 + 8 * i)) * 0x9E3779B1 & M64
    begun = blocks * stripes
    for stripe in range((n - 1 - 64 * begun) // 64):
        accumulate(64 * (begun + stripe), 8 * stripe)
    accumulate(n - 64, 192 - 64 - 7)
    h = n * P1
    for i in range(4):
        h += fold(lanes[2 * i] ^ read64(secret, 11 + 16 * i), lanes[2 * i + 1] ^ read64(secret, 19 + 16 * i))
    return avalanche3(h & M64)


def fmix64(x):
    x = (x ^ x >> 33) * 0xFF51AFD7ED558CCD & M64
    x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53 & M64
    return x ^ x >> 33


def murmur3(data, seed=0):
    """MurmurHash3_x64_128 (Appleby, public domain), its first 64 bits."""
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = seed
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        h1 ^= rotl(read64(data, at) * c1 & M64, 31) * c2 & M64
        h1 = ((rotl(h1, 27) + h2) * 5 + 0x52DCE729) & M64
        h2 ^= rotl(read64(data, at + 8) * c2 & M64, 33) * c1 & M64
        h2 = ((rotl(h2, 31) + h1) * 5 + 0x38495AB5) & M64
    tail = data[whole:]
    h2 ^= rotl(int.from_bytes(tail[8:], "little") * c2 & M64, 33) * c1 & M64
    h1 ^= rotl(int.from_bytes(tail[:8], "little") * c1 & M64, 31) * c2 & M64
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = h1 + h2 & M64
    h2 = h2 + h1 & M64
    return fmix64(h1) + fmix64(h2) & M64


def murmur3_digest(data, seed=0):
    return murmur3(data, seed) ^ 0x9E3779B97F4A7C15


FARM0, FARM1, FARM2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def rotr(x, bits):
    return rotl(x, 64 - bits)


def farm_join(u, v, mul):
    a = (u ^ v) * mul & M64
    b = (v ^ a ^ a >> 47) * mul & M64
    return (b ^ b >> 47) * mul & M64


def farm_weak(data, at, a, b):
    w, x, y, z = struct.unpack_from("<4Q", data, at)
    first = a + w & M64
    rest = first + x + y & M64
    return rest + z & M64, rotr(b + first + z & M64, 21) + rotr(rest, 44) + first & M64


def farm64(data, seed=0):
    """FarmHash 1.1: Fingerprint64, or with a seed farmhashna::Hash64WithSeed."""
    size = len(data)
    if size > 64:
        h = farm64_long(data)
    elif size > 16:
        h = farm64_middle(data)
    else:
        h = farm64_short(data)
    return farm_join(h - FARM2 & M64, seed, 0x9DDFEA08EB382D69) if seed else h


def farm64_short(data):
    size = len(data)
    mul = FARM2 + 2 * size
    if size >= 8:
        a, b = read64(data, 0) + FARM2 & M64, read64(data, size - 8)
        return farm_join(rotr(b, 37) * mul + a & M64, (rotr(a, 25) + b) * mul & M64, mul)
    if size >= 4:
        (first,), (last,) = struct.unpack_from("<I", data), struct.unpack_from("<I", data, size - 4)
        return farm_join(size + 8 * first, last, mul)
    if size == 0:
        return FARM2
    y, z = data[0] + (data[size >> 1] << 8), size + (data[-1] << 2)
    h = (y * FARM2 ^ z * FARM0) & M64
    return (h ^ h >> 47) * FARM2 & M64


def farm64_middle(data):
    size = len(data)
    mul = FARM2 + 2 * size
    a = read64(data, 0) * (FARM1 if size <= 32 else FARM2) & M64
    b, c, d = read64(data, 8), read64(data, size - 8) * mul & M64, read64(data, size - 16) * FARM2 & M64
    y = rotr(a + b & M64, 43) + rotr(c, 30) + d & M64
    z = farm_join(y, a + rotr(b + FARM2 & M64, 18) + c & M64, mul)
    if size <= 32:
        return z
    e, f = read64(data, 16) * mul & M64, read64(data, 24)
    g, h = (y + read64(data, size - 32)) * mul & M64, (z + read64(data, size - 24)) * mul & M64
    return farm_join(rotr(e + f & M64, 43) + rotr(g, 30) + h & M64, e + rotr(f + a & M64, 18) + g & M64, mul)


def farm64_long(data):
    size = len(data)
    y = 81 * FARM1 + 113 & M64
    z = y * FARM2 + 113 & M64
    z = (z ^ z >> 47) * FARM2 & M64
    x = 81 * FARM2 + read64(data, 0) & M64
    v1 = v2 = w1 = w2 = 0
    mul, weight = FARM1, 1
    rest = (size - 1) % 64
    for at in [*range(0, size - 1 - rest, 64), size - 64]:
        if at == size - 64:
            mul, weight = FARM1 + 2 * (z & 0xFF), 9
            w1 += rest
            v1 += w1
            w1 += v1
        x = rotr(x + y + v1 + read64(data, at + 8) & M64, 37) * mul & M64 ^ w2 * weight & M64
        y = rotr(y + v2 + read64(data, at + 48) & M64, 42) * mul + v1 * weight + read64(data, at + 40) & M64
        z = rotr(z + w1 & M64, 33) * mul & M64
        v1, v2 = farm_weak(data, at, v2 * mul, x + w1)
        w1, w2 = farm_weak(data, at + 32, z + w2, y + read64(data, at + 16))
        x, z = z, x
    last = farm_join(v1, w1, mul) + (y ^ y >> 47) * FARM0 + z & M64
    return farm_join(last, farm_join(v2, w2, mul) + x & M64, mul)


HASHES = {1: xxh64, 2: xxh3, 3: murmur3_digest, 4: farm64}


# From a digest to its positions


def hi(x):
    return x >> 32


def lo(x):
    return x & M32


def scale(half, places):
    return half * places >> 32


MULTIPLIER = 0xD1342543DE82EF95


def probes(digest, k, places):
    x = digest * MULTIPLIER & M64
    found = []
    while len(found) < k:
        found += [scale(hi(x), places), scale(lo(x), places)]
        x = (x ^ hi(x)) * MULTIPLIER & M64
    return found[:k]


def bits_at(segment, at, count):
    """A number of so many bits, lowest first, from a bit of a segment on."""
    first = at // 8
    return int.from_bytes(segment[first : (at + count + 7) // 8], "little") >> at % 8 & (1 << count) - 1


def ones(segment):
    return bin(int.from_bytes(segment, "little")).count("1")


class Bloom:
    def __init__(self, file):
        self.file = file

    def fill(self, segment, _):
        return ones(segment)

    def holds(self, digest):
        segment = self.file.segment(scale(hi(digest), self.file.segments))
        return all(bits_at(segment, bit, 1) for bit in probes(digest, self.file.k, self.file.segment_bits))


class Blocked(Bloom):
    SALTS = (0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31)

    def holds(self, digest):
        file = self.file
        block = scale(hi(digest), file.segments * file.segment_bits // 256)
        block -= file.first * file.segment_bits // 256
        return all(
            bits_at(file.payload, 256 * block + 32 * i + ((lo(digest) * salt & M32) >> 27), 1)
            for i, salt in enumerate(self.SALTS)
        )

    def fill(self, segment, _):
        total = 0
        for block in range(0, len(segment), 32):
            product = 1
            for word in range(block, block + 32, 4):
                product *= ones(segment[word:word + 4])
            total += product
        cut = max(0, total.bit_length() - 13)
        return ones(segment) + (((cut << 12) + (total >> cut)) << 32)


class Counting(Bloom):
    def fill(self, segment, _):
        counters = [half for byte in segment for half in (byte & 15, byte >> 4)]
        return len(counters) - counters.count(0) + (counters.count(15) << 32)

    def holds(self, digest):
        segment = self.file.segment(scale(hi(digest), self.file.segments))
        return all(bits_at(segment, 4 * c, 4) for c in probes(digest, self.file.k, self.file.segment_bits // 4))


class Cuckoo(Bloom):
    def __init__(self, file):
        super().__init__(file)
        demand(file.k <= 32, "bits of a fingerprint")
        self.buckets = max(1, (file.segment_bits - 64) // (4 * file.k))

    def other(self, bucket, fingerprint):
        return (scale(fingerprint * 0x9E3779B1 & M32, self.buckets) - bucket) % self.buckets

    def slots(self, segment, bucket):
        return [bits_at(segment, (4 * bucket + s) * self.file.k, self.file.k) for s in range(4)]

    def fill(self, segment, _):
        entries = [
            (fingerprint, min(bucket, self.other(bucket, fingerprint)))
            for bucket in range(self.buckets)
            for fingerprint in self.slots(segment, bucket)
            if fingerprint
        ]
        return len(entries) + (len(entries) - len(set(entries)) << 32)

    def holds(self, digest):
        segment = self.file.segment(scale(hi(digest), self.file.segments))
        x = digest * MULTIPLIER & M64
        fingerprint = 1 + scale(lo(x), (1 << self.file.k) - 1)
        bucket = scale(hi(x), self.buckets)
        pair = self.slots(segment, bucket) + self.slots(segment, self.other(bucket, fingerprint))
        return fingerprint in pair


def fraction(digest, segments):
    return digest * segments & M64


class Quotient(Bloom):
    def __init__(self, file):
        super().__init__(file)
        demand(file.k <= 32 and file.segment_bits % (64 * (file.k + 3)) == 0, "blocks of a segment")
        self.blocks = file.segment_bits // (64 * (file.k + 3))
        demand(8 < self.blocks < 2 ** 18, "blocks of a segment")
        self.numbers = {}

    def word(self, segment, block, index):
        return read64(segment, 8 * (block * (self.file.k + 3) + index))

    def read(self, segment):
        """Numbers and slots of all runs, from the first to the last."""
        k, numbers, slots, next_slot = self.file.k, [], [], 0
        for block in range(self.blocks):
            demand(self.word(segment, block, k + 2) == max(0, next_slot - 64 * block), "spill of a block")
            occupied = self.word(segment, block, k)
            for bit in range(64):
                if not occupied >> bit & 1:
                    continue
                quotient = 64 * block + bit
                next_slot = max(next_slot, quotient)
                is_last = False
                while not is_last:
                    demand(next_slot < 64 * self.blocks, "runs of a segment")
                    at = next_slot // 64, next_slot % 64
                    remainder = bits_at(segment, 64 * at[0] * (k + 3) + k * at[1], k)
                    numbers.append(quotient << k | remainder)
                    slots.append(next_slot)
                    is_last = self.word(segment, at[0], k + 1) >> at[1] & 1
                    next_slot += 1
        return numbers, slots

    def fill(self, segment, index):
        numbers, slots = self.read(segment)
        self.numbers[index] = set(numbers)
        repeated = sum(a == b for a, b in zip(numbers, numbers[1:]))
        longest = length = 0
        for i, slot in enumerate(slots):
            length = length + 1 if i and slots[i - 1] + 1 == slot else 1
            longest = max(longest, length)
        return len(numbers) | repeated << 24 | (max(1, longest) - 1).bit_length() << 48

    def holds(self, digest):
        index = scale(hi(digest), self.file.segments)
        number = fraction(digest, self.file.segments) * ((64 * self.blocks - 512) << self.file.k) >> 64
        return number in self.numbers[index]


class Static(Bloom):
    def __init__(self, file):
        super().__init__(file)
        demand(file.k <= 32, "k")

    def fill(self, segment, _):
        demand(segment[4] <= 64, "trials of a segment")
        demand(segment[5] <= 3 and segment[6:8] == bytes(2), "bytes that are dropped in a segment")
        return read32(segment, 0)

    def kept(self, digest):
        """The segment of a key, its fraction there, and the bits of that which are kept."""
        segment = self.file.segment(scale(hi(digest), self.file.segments))
        kept = M64 << 8 * segment[5] & M64
        return segment, fraction(digest, self.file.segments) & kept, kept


class Ribbon(Static):
    words = 2

    def __init__(self, file):
        super().__init__(file)
        self.blocks = (file.segment_bits - 64) // (64 * file.k)
        demand(self.blocks > self.words, "blocks of a segment")

    def holds(self, digest):
        k = self.file.k
        segment, f, kept = self.kept(digest)
        for _ in range(segment[4]):
            f = fmix64(f) & kept
        return self.accepts(segment, f, k)

    def accepts(self, segment, f, k):
        start = f * 64 * (self.blocks - self.words) >> 64
        coefficients = 1
        for i in range(self.words):
            coefficients |= fmix64(f ^ -i & M64) << 64 * i
        coefficients <<= start % 64
        for column in range(k):
            window = 0
            for i in range(self.words + 1):
                window |= read64(segment, 8 + 8 * ((start // 64 + i) * k + column)) << 64 * i
            if bin(window & coefficients).count("1") % 2:
                return False
        return True


class WideRibbon(Ribbon):
    words = 4


class Fuse(Static):
    def __init__(self, file):
        super().__init__(file)
        slots = (file.segment_bits - 128) // file.k
        demand(slots >= 3, "slots of a segment")
        self.window = 1 << min((4 * (slots.bit_length() - 1) + 12) // 7, (slots // 3).bit_length() - 1)
        self.slots = slots - slots % self.window

    def holds(self, digest):
        k = self.file.k
        segment, f, _ = self.kept(digest)
        g = f * (MULTIPLIER + 2 * segment[4]) & M64
        first = scale(hi(f), self.slots - 2 * self.window)
        slots = [first] + [first + i * self.window ^ (g >> 22 + 14 * i) % self.window for i in (1, 2)]
        held = 0
        for slot in slots:
            held ^= bits_at(segment, 64 + slot * k, k)
        return held == self.fingerprint(g, k)

    def fingerprint(self, g, k):
        return (g >> 32 ^ g >> 32 - k) % 2**k


class FormerFuse(Fuse):
    def fingerprint(self, g, k):
        return (g >> 32) % 2**k


class Section:
    """A section of every segment, as the file of a filter of other kind and size."""

    def __init__(self, file, first, bits, k):
        self.file, self.first, self.segment_bits, self.k = file, first // 8, bits, k
        self.segments = file.segments

    def segment(self, index):
        return self.file.segment(index)[self.first : self.first + self.segment_bits // 8]


class Protected(Bloom):
    screen_kind = WideRibbon
    verdict_kind = WideRibbon

    def __init__(self, file):
        super().__init__(file)
        present, bits, _ = struct.unpack_from("<IIQ", file.protected)
        demand(present in (1, 2) and bits % 64 == 0 and 64 <= bits < file.segment_bits, "protected keys")
        demand(file.k <= 32 and (file.k > 1 or bits == 64), "k")
        self.screen = self.screen_kind(Section(file, 0, bits, file.k - 1)) if file.k > 1 else None
        self.verdict = self.verdict_kind(Section(file, bits, file.segment_bits - bits, 1))

    def fill(self, segment, _):
        verdict = segment[self.verdict.file.first :]
        demand(segment[4] <= 64 and segment[5:8] == bytes(3), "trials of a screen")
        demand(verdict[4] <= 64 and verdict[5:8] == bytes(3), "trials of a verdict")
        return read32(segment, 0) + (read32(verdict, 0) << 24)

    def holds(self, digest):
        if self.screen and not self.screen.holds(digest):
            return False
        segment = self.file.segment(scale(hi(digest), self.file.segments))
        f = fraction(digest, self.file.segments)
        for _ in range(segment[4] + segment[self.verdict.file.first + 4] + 1):
            f = fmix64(f)
        return self.verdict.accepts(segment[self.verdict.file.first :], f, 1)


class ProtectedFuse(Protected):
    screen_kind = Fuse


class FormerProtected(Protected):
    screen_kind = Ribbon
    verdict_kind = Ribbon


class FormerProtectedFuse(FormerProtected):
    screen_kind = Fuse


class Scalable(Bloom):
    def holds(self, digest):
        first = 0
        for segments, k in self.file.slices:
            segment = self.file.segment(first + scale(hi(digest), segments))
            if all(bits_at(segment, bit, 1) for bit in probes(digest, k, self.file.segment_bits)):
                return True
            first += segments
        return False


KINDS = {
    1: Bloom, 2: Blocked, 3: Counting, 4: Cuckoo, 5: Quotient, 6: Ribbon, 7: Scalable, 9: FormerFuse, 10: Fuse,
    11: FormerProtected, 12: FormerProtectedFuse, 13: Protected, 14: ProtectedFuse,
}


def read_note(data):
    demand(len(data) >= 1152, "it is shorter than a note")
    made, size = struct.unpack_from("<QI", data, 128)
    demand(struct.unpack_from("<Q", data, 1144)[0] == xxh64(data[:1144]), "checksum of the note")
    demand(size <= 1000 and made <= 8640000000000 and not any(data[140 + size : 1144]), "note")
    try:
        return data[140 : 140 + size].decode(), made
    except UnicodeDecodeError:
        raise Broken("note") from None


def normalised(key, flags, unicode_case=64):
    if flags & 2:
        key = key.strip(b" \t")
    if flags & 1:
        key = lower(key)
    if flags & unicode_case:
        text = key.decode("utf-8", "surrogateescape")
        key = "".join(map(folded, text)).encode("utf-8", "surrogateescape")
    if flags & 256:
        key = lower(re.sub(rb"^(?:[ \t.]|\*\.)*", b"", key.rstrip(b" \t.")))
    return key


def lower(key):
    return bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in key)


def folded(character):
    """Simple case folding, for the characters of Python's Unicode: CaseFolding.txt, statuses C and S."""
    if character in "\u1fd3\u1fe3\ufb05":
        return {"\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06"}[character]
    for other in (character.casefold(), character.lower()):
        if len(other) == 1:
            return other
    return character


def network(text):
    """The version, address and length of a block. None if the text is not a block."""
    try:
        address, slash, length = text.decode("ascii").strip(" \t").partition("/")
        if slash and not re.fullmatch("0|[1-9][0-9]{0,2}", length):
            return None
        address = ipaddress.ip_address(re.sub("(:.*)%[^%]+$", r"\1", address))
        length = int(length) if slash else address.max_prefixlen
    except ValueError:
        return None
    if length > address.max_prefixlen:
        return None
    number, version = int(address), address.version
    if version == 6 and number >> 32 == 0xFFFF and length >= 96:
        number, version, length = number & M32, 4, length - 96
    return version, number, length


def marker_of(key, marked):
    """The key without which a set does not have the block of a key. None if there is no such key."""
    if len(key) == 5 and key[4] > 16 and marked >> key[4] - 17 & 1:
        return key[:2] + bytes([0, 0, 128 + key[4]])
    return None


def blocks(key, lengths):
    """The keys of the blocks around a record."""
    found = network(key)
    if found is None:
        return []
    version, number, most = found
    size = 32 if version == 4 else 128
    keys = []
    for length in range(most + 1):
        i = max(0, length - 1)
        bit = i if version == 4 else 64 + i if length <= 64 else 32 + (length - 65) // 2
        if lengths >> bit & 1:
            kept = number >> (size - length) << (size - length)
            keys.append(kept.to_bytes(size // 8, "big") + bytes([length]))
    return keys


KEY_HASHES = {1: hashlib.sha1, 2: hashlib.sha256, 3: hashlib.md5}


def is_key_hash(flags):
    """Whether a reader accepts the flags of a key hash."""
    number = flags >> 12 & 7
    return number in KEY_HASHES and not flags & 768 if number else not flags & 32768


def looked_up(key, flags, lengths=0):
    """The keys of a record that a query looks up, any of which is enough."""
    if flags & 512:
        return blocks(key, lengths)
    key = normalised(key, flags)
    if flags & 0x7000:
        digest = KEY_HASHES[flags >> 12 & 7](key).hexdigest()
        return [(digest.upper() if flags & 32768 else digest).encode()]
    if not flags & 256:
        return [key]
    suffixes = [key[at + 1 :] for at in range(len(key)) if key[at : at + 1] == b"."]
    names = [key] + [normalised(suffix, flags) for suffix in suffixes if len(suffix) <= 253]
    return [name for name in names if name != b""]


class File:
    def __init__(self, data):
        demand(len(data) >= 128, "it is shorter than a header")
        demand(data[:8] == bytes.fromhex("89424c4d0d0a1a0a"), "magic")
        (checksum,) = struct.unpack_from("<Q", data, 120)
        demand(checksum == xxh64(data[:120]), "header checksum")
        version, length, kind, hash_id, self.flags, self.k = struct.unpack_from("<HHHHII", data, 8)
        self.seed, bits, self.segments, self.segment_bits = struct.unpack_from("<QQII", data, 24)
        capacity, rate, inserted, payload = struct.unpack_from("<QdQQ", data, 48)
        demand((version, length) == (1, 1152 if self.flags & 8 else 128), "version or length of the header")
        demand(kind in KINDS and hash_id in HASHES and self.flags & ~(127 | 256 | 512 | 0xF000) & 0xFFFF == 0, "kind, hash or flags")
        demand(self.flags >> 16 == 0 or self.flags & 512, "markers in a filter without networks")
        demand(sum(self.flags & sort != 0 for sort in (256, 512, 0x7000)) <= 1, "keys of two sorts")
        demand(self.flags & 65 != 65, "two flags of case")
        demand(is_key_hash(self.flags), "flags of the key hash")
        if self.flags & 8:
            self.note, self.made = read_note(data)
        demand(1 <= self.k <= 64 and (kind != 2 or self.k == 8), "k")
        demand(1 <= self.segments <= 2**21 and self.segment_bits > 0 and self.segment_bits % 512 == 0, "segments")
        demand(bits == self.segments * self.segment_bits, "bits")
        demand(0 < rate < 1 and max(bits, capacity, inserted) < 2**53, "rate or counts")
        fewest = (bits + 2**22 - 1) // 2**22
        if kind == 7:
            demand(2**14 <= self.segment_bits <= 2**22, "bits of a segment")
        else:
            fine = kind in (1, 2, 3, 6, 9, 10) and 2**14 < self.segment_bits <= 2**22
            fewer = kind == 5 and self.segments < fewest
            demand(self.segments == fewest or fine or fewer, "segments for these bits")
        self.read_own(data[80:120], kind)
        held = self.end - self.first
        tag_bytes = 8 if self.flags & 16 else 0
        size = self.segment_bits // 8
        demand(payload == held * (size + tag_bytes), "payload length")
        demand(len(data) == length + payload + 16 * held + 8, "length of the file")
        self.stride, stored = size + tag_bytes, data[length : length + payload]
        self.payload = b"".join(stored[i : i + size] for i in range(0, payload, self.stride))
        table = data[length + payload : -8]
        demand(struct.unpack("<Q", data[-8:])[0] == xxh64(table, checksum), "seal of the table")
        self.hash = HASHES[hash_id]
        self.kind = KINDS[kind](self)
        for i in range(self.first, self.end):
            segment_checksum, fill = struct.unpack_from("<QQ", table, 16 * (i - self.first))
            index = i - self.first
            seed = (checksum + index) & M64 if tag_bytes else 0
            demand(segment_checksum == xxh64(self.segment(i), seed), f"checksum of segment {i}")
            demand(not tag_bytes or read64(stored, index * self.stride + size) == segment_checksum, f"tag of segment {i}")
            demand(fill == self.kind.fill(self.segment(i), i), f"fill of segment {i}")

    def read_own(self, own, kind):
        self.first, self.end = 0, self.segments
        if self.flags & 32:
            self.slice, self.slices, self.inputs = struct.unpack_from("<IIQ", own, 24)
            demand(kind != 7 and 1 <= self.slice <= self.slices, "slice of the inputs")
            own = own[:24] + bytes(16)
        self.lengths = 0
        if self.flags & 512:
            demand(kind not in (7, 11, 12, 13, 14), "networks in a filter of this kind")
            self.lengths, own = int.from_bytes(own[8:24], "little"), own[:8] + bytes(16) + own[24:]
        if kind in (11, 12, 13, 14):
            self.protected, own = own[8:24], own[:8] + bytes(16) + own[24:]
        if self.flags & 4:
            demand(kind != 7, "a part of such a filter")
            part, parts = struct.unpack_from("<II", own)
            demand(2 <= parts <= self.segments and 1 <= part <= parts, "part")
            demand(not any(own[8:]), "parameters")
            self.first, self.end = (part - 1) * self.segments // parts, part * self.segments // parts
        elif kind == 7:
            self.read_chain(own)
        else:
            demand(not any(own), "parameters")

    def read_chain(self, chain):
        count, growth, tightening = struct.unpack_from("<BBH", chain)
        demand(1 <= count <= 18 and growth in (2, 4, 8, 16) and 0 < tightening < 10000, "chain")
        self.slices = [(1 << chain[4 + 2 * i], chain[5 + 2 * i]) for i in range(count)]
        demand(sum(segments for segments, _ in self.slices) == self.segments, "slices")
        demand(all(1 <= k <= 64 for _, k in self.slices) and self.slices[0][1] == self.k, "k of the slices")
        demand(not any(chain[4 + 2 * count :]), "slices")

    def segment(self, index):
        size, at = self.segment_bits // 8, index - self.first
        return self.payload[at * size : (at + 1) * size]

    def may_contain(self, key):
        answers = [self.answer(one) for one in looked_up(key, self.flags, self.lengths)]
        return True if True in answers else None if None in answers else False

    def answer(self, key):
        marker = marker_of(key, self.flags >> 16)
        return False if marker is not None and self.holds(marker) is False else self.holds(key)

    def holds(self, key):
        digest = self.hash(key, self.seed)
        if self.flags & 4 and not self.first <= scale(hi(digest), self.segments) < self.end:
            return None
        return bool(self.kind.holds(digest))


class Index:
    """The files that may have a key."""

    def __init__(self, data):
        demand(len(data) >= 128, "it is shorter than a header")
        checksum = read64(data, 120)
        demand(checksum == xxh64(data[:120]), "header checksum")
        version, length, hash_id, self.flags, self.k, page, self.seed = struct.unpack_from("<HHHHIIQ", data, 8)
        rate, files, groups, row_bytes, name_bytes = struct.unpack_from("<dQQQQ", data, 32)
        demand(version == 1 and length == 128 and page == 4096 and not any(data[80:120]), "header")
        demand(hash_id in HASHES and self.flags <= 15 and self.flags & 5 != 5 and 1 <= self.k <= 64 and 0 < rate < 1, "hash, flags, k or rate")
        self.hash = HASHES[hash_id]
        content = bytearray()
        for i, at in enumerate(range(128, len(data), 4096)):
            piece = data[at : at + 4096]
            demand(len(piece) > 8 and read64(piece, len(piece) - 8) == xxh64(piece[:-8], (checksum + i) & M64), f"page {i}")
            content += piece[:-8]
        columns_at = row_bytes + 24 * groups
        files_at = columns_at + 4 * files
        names_at = files_at + 40 * files
        demand(len(content) == names_at + name_bytes + (8 * files if self.flags & 8 else 0), "length")
        self.content = bytes(content)
        self.names, name = [], 0
        for i in range(files):
            end = read64(content, files_at + 40 * i)
            demand(name <= end <= name_bytes, "names")
            self.names.append(self.content[names_at + name : names_at + end])
            name = end
        self.groups, start, column = [], 0, 0
        for i in range(groups):
            group = struct.unpack_from("<QQII", content, row_bytes + 24 * i)
            rows, count = group[1:3]
            demand(group[0] == start and group[3] == column and 1 <= rows < 1 << 32 and count >= 1, "groups")
            self.groups.append((start, rows, struct.unpack_from(f"<{count}I", content, columns_at + 4 * column)))
            start, column = start + (rows * count + 7) // 8, column + count
        demand(start == row_bytes and column == files and name == name_bytes, "groups")
        demand(sorted(file for group in self.groups for file in group[2]) == list(range(files)), "columns")
        for start, rows, files_of in self.groups:
            for j, file in enumerate(files_of):
                ones = sum(self.bit(start, i * len(files_of) + j) for i in range(rows))
                demand(ones == read64(content, files_at + 40 * file + 32), f"ones of file {file}")

    def bit(self, start, at):
        return self.content[start + at // 8] >> at % 8 & 1

    def files_with(self, key):
        digest = self.hash(normalised(key, self.flags, 4), self.seed) or 1
        found = []
        for start, rows, files in self.groups:
            wanted = []
            for i in range(1, self.k + 1):
                z = (digest + i * 0x9E3779B97F4A7C15) & M64
                z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
                z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
                wanted.append((z ^ z >> 31) * rows >> 64)
            for j, file in enumerate(files):
                if all(self.bit(start, row * len(files) + j) for row in wanted):
                    found.append(file)
        return b"\t".join(self.names[file] for file in sorted(found))


class State:
    """What bloom dedup has seen: several filters, any of which may have a key."""

    def __init__(self, data):
        demand(len(data) >= 64, "it is shorter than a head")
        version, sightings, divided, length, keep, records, windows = struct.unpack_from("<HHIQQQQ", data, 8)
        demand(version == 1 and 1 <= sightings <= 100, "version or sightings of the head")
        demand(divided <= 2 and keep <= 250 and 1 <= windows <= keep + 1, "windows of the head")
        end = 48 + 8 * windows
        demand(len(data) >= end + 8, "it is shorter than its head")
        demand(read64(data, end) == xxh64(data[:end]), "checksum of the head")
        numbers = struct.unpack_from(f"<{windows}Q", data, 48)
        demand(all(a < b for a, b in zip(numbers, numbers[1:])) and numbers[-1] - numbers[0] <= keep, "numbers of windows")
        demand(any((length, keep, records, *numbers)) <= (divided > 0) and (length > 0) == (divided > 0), "windows of nothing")
        demand(numbers[-1] * length <= records if divided == 1 else records == 0, "records of the head")
        self.filters = []
        at = end + 8
        while at < len(data):
            demand(len(data) >= at + 128, "it ends within the header of a filter")
            segments, payload = struct.unpack_from("<I", data, at + 40)[0], read64(data, at + 72)
            size = 128 + payload + 16 * segments + 8
            self.filters.append(File(data[at : at + size]))
            at += size
        demand(len(self.filters) == windows * sightings, "number of filters")

    def may_contain(self, key):
        return any(file.may_contain(key) for file in self.filters)


def main():
    try:
        with open(sys.argv[1], "rb") as source:
            data = source.read()
        kinds = {"89424c530d0a1a0a": State, "89424c490d0a1a0a": Index}
        file = kinds.get(data[:8].hex(), File)(data)
    except Broken as error:
        print(f"{sys.argv[1]} breaks the format: {error}", file=sys.stderr)
        return 2
    for line in sys.stdin.buffer:
        key = line[:-1] if line.endswith(b"\n") else line
        key = key[:-1] if key.endswith(b"\r") else key
        if isinstance(file, Index):
            sys.stdout.buffer.write(file.files_with(key) + b"\n")
            continue
        answer = file.may_contain(key)
        print("?" if answer is None else int(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
