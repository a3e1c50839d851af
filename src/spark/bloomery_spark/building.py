"""Filters built by executors, and their keys counted."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import pyarrow as pa
from pyspark import RDD, SparkContext, StorageLevel
from pyspark.sql import Column, DataFrame

from .command import PIECE, BloomError, Say, output, pieces
from .keys import ColumnOrName, keys_of, records_of
from .session import context_with_package, job, warn

Data = Union[DataFrame, Iterable[Union[str, "os.PathLike[str]"]]]

# Makes numbered pieces of bytes of a share: of arguments that select it, and of what the command reads through a pipe.
Make = Callable[[List[str], Iterable[bytes]], Iterable[Tuple[int, bytes]]]

# The largest part in bytes, unless a segment is larger. The driver holds one part.
LARGEST_PART = 2**25


def build(
    data: Data,
    file: str,
    items: Union[int, str],
    *,
    column: Optional[ColumnOrName] = None,
    options: Sequence[str] = (),
    records: Sequence[str] = (),
    format: Optional[str] = None,
    key_type: Optional[str] = None,
    tasks: Optional[int] = None,
    by_segment: bool = False,
    strict: bool = False,
    force: bool = False,
    command: str = "bloom",
) -> None:
    """Makes ``file`` on the driver: the filter that one ``bloom build`` would make of all keys, byte for byte.

    :param data: The names of files that every executor can read, of which each task takes a slice. Or a DataFrame, whose
        strings and bytes are the keys. Spark casts other values to strings, as ``CAST(column AS STRING)`` does. Nulls are not
        keys.
    :param items: The number of keys that the filter is sized for, such as ``3_000_000`` or ``"3M"``.
    :param column: The keys of a DataFrame of several columns: the name of a column, or a ``Column``.
    :param options: Further options of ``bloom build``, such as ``["-p", "0.1%"]``.
    :param records: What the keys of files are: ``-f``, ``-d``, ``-0`` and others.
    :param format: The format of another system. Spark's ``BloomFilter.readFrom`` reads ``"spark-1"``.
    :param key_type: ``--key-type`` of ``bloom build``, for formats whose keys are not text: ``"int64"`` is ``putLong`` of Spark.
    :param tasks: The number of shares. The default is that of the session.
    :param by_segment: Brings the digests of each part of the filter together, so that nobody holds more than a part.
    :param strict: Raises `BloomError` and writes nothing if there are more keys than ``items``. Otherwise they are a
        `BloomWarning`.
    :param force: Replaces a file.

    Example::

        bloomery_spark.build(["/data/monday.txt", "/data/tuesday.txt"], "seen.bloom", items=100_000_000)
        bloomery_spark.build(df, "visits.bloom", 3_000_000, column="url", options=["-p", "0.1%"], by_segment=True)
        bloomery_spark.build(df, "ids.spark", 3_000_000, column="id", format="spark-1", key_type="int64")
    """
    if os.path.exists(file) and not force:
        raise FileExistsError(f"{file} exists already; choose another name, or add force=True to replace it")
    if by_segment and format is not None:
        raise ValueError(f"a filter of the format {format} has no parts; leave out by_segment=True")
    is_strict = ["--strict"] if strict or "--strict" in options else []
    size = ["-n", str(items), *(option for option in options if option != "--strict"), "--threads", "1", "-q"]
    of_format = [*(["--format", format] if format else []), *(["--key-type", key_type] if key_type else [])]
    make = [command, "build", *size, *of_format, "-o", "-"]
    merge = [command, "merge", "--partial", "-q"]
    place = ["--force", "-o", file]

    context = context_with_package()
    with job(context) as say:
        if by_segment:
            parts = _parts(command, size, tasks or context.defaultParallelism)
            divide = [command, "digest", *size, "--parts", str(parts)]
            digests = _of_shares(lambda share, keys: _divided(divide, share, keys, say), data, column, records, tasks)

            def part_of(index: int, some: Iterable[Tuple[int, bytes]]) -> Iterator[bytes]:
                part = ["--digests", "--part", f"{index + 1}/{parts}"]
                return pieces([*make, *part], (piece for _, piece in some), say)

            with _kept(digests.partitionBy(parts).mapPartitionsWithIndex(part_of)) as kept:
                output([*merge, *is_strict, "-", *place], kept.toLocalIterator(), warn)
        else:
            filters = _of_shares(lambda share, keys: [(0, output([*make, *share], keys, say))], data, column, records, tasks)
            union = filters.values().treeReduce(lambda one, other: _merged([*merge, "-o", "-"], [one, other], say))
            if format is not None:
                _judge(command, merge, union, items, bool(is_strict))
            _merged([*merge, *is_strict, *place], [union], warn)


def count(
    data: Data,
    *,
    column: Optional[ColumnOrName] = None,
    records: Sequence[str] = (),
    tasks: Optional[int] = None,
    command: str = "bloom",
) -> int:
    """Returns about how many distinct keys the data of :func:`build` have, with a standard error of 0.41 %.

    Example::

        items = bloomery_spark.count(df, column="url")
    """
    context = context_with_package()
    sketch = [command, "count", "--threads", "1", "-q", "-o", "-"]
    with job(context) as say:
        sketches = _of_shares(lambda share, keys: [(0, output([*sketch, *share], keys, say))], data, column, records, tasks)
        with _files(sketches.values().toLocalIterator()) as files:
            return int(output([command, "count", "-q", *files], (), warn))


def _of_shares(
    make: Make,
    data: Data,
    column: Optional[ColumnOrName],
    records: Sequence[str],
    tasks: Optional[int],
) -> RDD[Tuple[int, bytes]]:
    """What `make` makes of each share of the data."""
    if isinstance(data, DataFrame):

        def of_batches(batches: Iterable[Any]) -> Iterator[Any]:
            for number, piece in make(["-0"], (records_of(batch.column(0).drop_null()) for batch in batches)):
                yield pa.RecordBatch.from_pydict({"number": [number], "piece": [piece]})

        keys = keys_of(data, column)
        shares = keys if tasks is None else keys.repartition(tasks)
        return shares.mapInArrow(of_batches, "number long, piece binary").rdd.map(lambda row: (row[0], bytes(row[1])))

    if isinstance(data, Column):
        raise TypeError("the data are a Column; give its DataFrame, and the column as column=")
    if isinstance(data, (str, bytes, os.PathLike)):
        raise TypeError(f"the data are one name; give a list of files: [{os.fspath(data)!r}]")
    if column is not None:
        raise TypeError("column= is for a DataFrame; records= selects the keys of files")
    files = [os.path.abspath(name) for name in data]
    context = context_with_package()
    count = tasks or context.defaultParallelism
    slices = context.parallelize([f"{k + 1}/{count}" for k in range(count)], count)
    return slices.flatMap(lambda share: make([*records, "--slice", share, "--", *files], ()))


def _parts(command: str, size: List[str], tasks: int) -> int:
    """The number of parts to build a filter in: as many as tasks, more if parts are large, and at most one per segment."""
    for parts in (4096, 64, 1):
        # Only a small filter is made whole here.
        try:
            report = output([command, "build", *size, "--json", "--part", f"1/{parts}", "-o", os.devnull], (), warn)
        except BloomError:
            if parts == 1:
                raise
            continue
        part = json.loads(report)
        least = max(tasks, -(-parts * part["bytes"] // LARGEST_PART))
        return int(min(least, parts * part["segments"]))
    raise AssertionError


def _divided(divide: List[str], share: List[str], keys: Iterable[bytes], say: Say) -> Iterator[Tuple[int, bytes]]:
    """The digests of a share in pieces, each with the number of its part, from 0 on."""
    with tempfile.TemporaryDirectory() as folder:
        output([*divide, "-o", os.path.join(folder, "%d"), *share], keys, say)
        for part in Path(folder).iterdir():
            with part.open("rb") as file:
                for piece in iter(lambda: file.read(PIECE), b""):
                    yield int(part.name) - 1, piece


@contextlib.contextmanager
def _kept(made: RDD[bytes]) -> Iterator[RDD[bytes]]:
    """Has all partitions made at once, to be fetched one after the other."""
    made.persist(StorageLevel.DISK_ONLY)
    try:
        made.count()
        yield made
    finally:
        made.unpersist()


@contextlib.contextmanager
def _files(contents: Iterable[bytes]) -> Iterator[List[str]]:
    """Temporary files with these contents."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, content in enumerate(contents):
            names.append(os.path.join(folder, str(number)))
            Path(names[-1]).write_bytes(content)
        yield names


def _merged(merge: List[str], filters: Iterable[bytes], say: Say) -> bytes:
    """Merges filters as files. So memory holds some segments of them, and they can have any format."""
    with _files(filters) as names:
        return output([*merge, *names], (), say)


# The share by which an estimate may be too large.
_TOLERANCE = 0.05


def _judge(command: str, merge: List[str], union: bytes, items: Union[int, str], is_strict: bool) -> None:
    """Compares a union with its capacity, which a file of another system does not record."""
    report = json.loads(_merged([*merge, "--dry-run", "--json"], [union], warn))
    capacity = json.loads(output([command, "size", "-n", str(items), "-p", "1%", "--json"], (), warn))["capacity"]
    if report["capacity"] is None and report["estimatedItems"] > capacity * (1 + _TOLERANCE):
        line = f"the filter was sized for {capacity:,} keys and has about {report['estimatedItems']:,}"
        if is_strict:
            raise BloomError(f"nothing was written: {line}; state more items")
        warn(f"{line}: its predicted false-positive rate is {report['predictedFpr']:.3g}; state more items")
