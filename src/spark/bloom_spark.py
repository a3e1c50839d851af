"""Bloom filters in Spark jobs: made by all executors, and asked by them.

    import bloom_spark
    bloom_spark.build(["/data/monday.txt", "/data/tuesday.txt"], "seen.bloom", items=100_000_000)
    bloom_spark.may_contain(df, "url", "seen.bloom").where("not may_contain")

Takes `pyspark[sql]` 3.4 or later, a session that is not one of Spark Connect, and on every machine the command `bloom`: in
the PATH, or as `command` names it. Keys and filters go through pipes as bytes, and a command that fails ends the job with
what it said.
"""

import atexit
import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

# Bytes of digests that go through Spark as one.
PIECE = 2**24


def build(data, output, items, options=(), records=(), tasks=None, by_segment=False, force=False, command="bloom"):
    """Makes the file `output` of the driver, a filter for so many keys; `options` are those of `bloom build`.

    The data are the names of files that every executor can read, of which each task takes a slice, `records` saying what the
    keys are (`-f`, `-d`, `-0`); or a DataFrame of one column, of strings or bytes, whose nulls are no keys.

    Each task makes a filter of its share, and these are united. With `by_segment` it makes digests, and Spark brings those of
    a part of the filter together, of which there are as many as tasks: nobody holds more than a part.
    """
    if os.path.exists(output) and not force:
        raise FileExistsError(output)
    tasks = tasks or _session().sparkContext.defaultParallelism
    size = ["-n", str(items), *options, "--threads", "1"]
    make = [command, "build", *size, "-o", "-"]
    divide = [command, "digest", *size, "--parts", str(tasks)]
    # A tree unites some of the slices at a time.
    unite = [command, "merge", "--partial", "-", "-o"]

    def part_of(index, digests):
        yield _output([*make, "--digests", "--part", f"{index + 1}/{tasks}"], (piece for _, piece in digests))

    if by_segment:
        digests = _of_shares(lambda share, keys: _divided(divide, share, keys), data, records, tasks)
        parts = digests.partitionBy(tasks).mapPartitionsWithIndex(part_of).persist(StorageLevel.DISK_ONLY)
        # All are made at once, and fetched one after the other.
        parts.count()
        _output([*unite, output, "--force"], parts.toLocalIterator())
        parts.unpersist()
    else:
        filters = _of_shares(lambda share, keys: [(0, _output([*make, *share], keys))], data, records, tasks).values()
        _output([*unite, output, "--force"], [filters.treeReduce(lambda *two: _output([*unite, "-"], two))])


def count(data, records=(), tasks=None, command="bloom"):
    """About how many distinct keys the data of a `build` have, by the sketches of `bloom count`: with a standard error of 0.41 %."""
    sketch = [command, "count", "--threads", "1", "-o", "-"]
    tasks = tasks or _session().sparkContext.defaultParallelism
    sketches = _of_shares(lambda share, keys: [(0, _output([*sketch, *share], keys))], data, records, tasks).values().collect()
    with tempfile.TemporaryDirectory() as folder:
        for number, content in enumerate(sketches):
            Path(folder, str(number)).write_bytes(content)
        return int(_output([command, "count", *map(str, Path(folder).iterdir())], ()))


def may_contain(df, column, filter, name="may_contain", command="bloom"):
    """The rows in their order, with one more column: whether the string or the bytes in `column` may be in the filter.

    It is null where the key is. The filter is a file of the driver, which Spark copies to every executor once.
    """
    shipped = _shipped(filter)

    def answered(batches):
        query = [command, "query", SparkFiles.get(shipped), "-0", "--tag", "--exit-zero", "--threads", "1"]
        with _running(query) as child:
            for batch in batches:
                answers = _answers(child, batch.column(column))
                yield pa.RecordBatch.from_arrays([*batch.columns, answers], [*batch.schema.names, name])

    return df.mapInArrow(answered, StructType([*df.schema]).add(name, "boolean"))


def _of_shares(make, data, records, tasks):
    """What `make` makes of each share of the data, an RDD of pairs of a number and bytes.

    It gets arguments of a command that select the share, and what the command then reads through a pipe.
    """
    context = _session().sparkContext
    if not isinstance(data, DataFrame):
        files = [os.path.abspath(name) for name in data]
        slices = context.parallelize([f"{k + 1}/{tasks}" for k in range(tasks)], tasks)
        return slices.flatMap(lambda share: make([*records, "--slice", share, "--", *files], ()))

    def of_batches(batches):
        for number, piece in make(["-0"], (_records(batch.column(0).drop_null()) for batch in batches)):
            yield pa.RecordBatch.from_pydict({"number": [number], "piece": [piece]})

    return data.mapInArrow(of_batches, "number long, piece binary").rdd.map(tuple)


def _session():
    """The session, whose executors can import this module from now on."""
    spark = SparkSession.builder.getOrCreate()
    spark.sparkContext.addPyFile(__file__)
    return spark


def _shipped(file):
    """Has Spark copy a file to the executors; returns its name there, a new one: Spark never replaces what it has copied."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    copy = os.path.join(folder, os.path.basename(folder))
    shutil.copyfile(file, copy)
    _session().sparkContext.addFile(copy)
    return os.path.basename(copy)


def _records(keys):
    """An Arrow array of keys, none of them null, as bytes: each key with a NUL behind it."""
    ended = pa.concat_arrays([keys.cast(pa.binary()), pa.array([b""])])
    records = pc.binary_join(pa.ListArray.from_arrays([0, len(ended)], ended), b"\0")[0].as_py()
    if records.count(b"\0") > len(keys):
        raise ValueError("a key has a NUL in it, which is where keys end in a pipe")
    return records


def _answers(child, keys):
    """What a query says of an array of keys."""
    asked = keys.drop_null()
    records = _records(asked)
    # It answers while it reads: if nobody took the answers meanwhile, it would read no further.
    writer = threading.Thread(target=_write, args=(child.stdin, [records]))
    writer.start()
    tagged = child.stdout.read(len(records) + len(asked))
    writer.join()
    answers = [record[:1] == b"+" for record in tagged.split(b"\0")[:-1]]
    return pc.replace_with_mask(pa.nulls(len(keys), pa.bool_()), keys.is_valid(), pa.array(answers, pa.bool_()))


def _divided(divide, share, keys):
    """The digests that a command makes of a share, in pieces, each with the number of its part, from 0 on."""
    with tempfile.TemporaryDirectory() as folder:
        _output([*divide, "-o", os.path.join(folder, "%d"), *share], keys)
        for part in Path(folder).iterdir():
            with part.open("rb") as file:
                while piece := file.read(PIECE):
                    yield int(part.name) - 1, piece


def _output(arguments, chunks):
    """What a command writes once it has read all of the chunks."""
    with _running(arguments) as child:
        _write(child.stdin, chunks)
        child.stdin.close()
        return child.stdout.read()


def _write(pipe, chunks):
    """Writes to a command; if it reads no more, its status says so."""
    with contextlib.suppress(BrokenPipeError):
        for chunk in chunks:
            pipe.write(chunk)
            pipe.flush()


@contextlib.contextmanager
def _running(arguments):
    """A command with pipes, which has to end with status 0."""
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said) as child:
            try:
                yield child
            finally:
                with contextlib.suppress(BrokenPipeError):
                    child.stdin.close()
                child.stdout.read()
                if child.wait() != 0:
                    said.seek(0)
                    raise RuntimeError(f"{' '.join(arguments)}: {said.read().decode(errors='replace').strip()}")
