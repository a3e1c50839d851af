"""Bloom filters in Spark jobs: built by all executors, and queried by them.

Example::

    import bloomery_spark

    files = ["/data/monday.txt", "/data/tuesday.txt"]
    bloomery_spark.build(files, "seen.bloom", items=bloomery_spark.count(files))
    bloomery_spark.may_contain(df, "url", "seen.bloom").where("not may_contain")

Every machine needs the command ``bloom``: in its PATH, or as ``command`` names it. Keys and filters go through pipes as
bytes, and a command that fails ends the job with its message. The session sends this package to its executors.
"""

from .building import build, count
from .command import BloomError, BloomWarning
from .looking_up import may_contain

__all__ = ["BloomError", "BloomWarning", "build", "count", "may_contain"]
