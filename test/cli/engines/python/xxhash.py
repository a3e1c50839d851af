"""XXH64 as the package of this name has it, by the reader of filter files, for the programs of the page."""

from reader import xxh64 as xxh64_intdigest

__all__ = ["xxh64_intdigest"]
