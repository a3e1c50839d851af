"""What Spark builds is what one machine builds; what cannot be built is a clear error."""

import datetime
import decimal
from pathlib import Path

import bloomery_spark
import pytest
from bloomery_spark import BloomError, BloomWarning
from conftest import LINES, bloom, program
from memory import Peak
from pyspark.sql import functions as F

FILES = ["some.txt", "more.txt"]
ITEMS = "3M"
KEYS = [*LINES[:3000], None, "two\nlines"]


def whole(keys, *options, items=ITEMS):
    """The filter of one build: of files, or of keys."""
    of_files = isinstance(keys[0], str) and Path(keys[0]).is_file()
    given = "" if of_files else "".join(f"{key}\0" for key in keys if key is not None)
    Path("whole").unlink(missing_ok=True)
    inputs = keys if of_files else ["-0"]
    bloom("build", "-q", "-n", items, *options, "-o", "whole", *inputs, input=given.encode())
    return Path("whole").read_bytes()


def column_of(spark, keys=KEYS, of_type="string"):
    return spark.createDataFrame([(key,) for key in keys], f"key {of_type}").repartition(3)


def test_slices_of_files(folder):
    bloomery_spark.build(FILES, "made", ITEMS, tasks=3)
    assert Path("made").read_bytes() == whole(FILES)
    bloomery_spark.build(
        (Path(name) for name in FILES), "made", 3_000_000, records=["-f", "2", "-d", "/"], options=["--kind", "blocked"], force=True
    )
    assert Path("made").read_bytes() == whole(FILES, "-f", "2", "-d", "/", "--kind", "blocked")


def test_by_segment_with_more_tasks_than_segments(folder):
    bloomery_spark.build(FILES, "made", ITEMS, tasks=9, by_segment=True)
    assert Path("made").read_bytes() == whole(FILES)


def test_columns(spark, folder):
    df = column_of(spark)
    bloomery_spark.build(df, "made", ITEMS)
    assert Path("made").read_bytes() == whole(KEYS)
    bloomery_spark.build(df, "made", ITEMS, tasks=2, by_segment=True, force=True)
    assert Path("made").read_bytes() == whole(KEYS)
    rows = df.select(F.rand().alias("other"), "key")
    bloomery_spark.build(rows, "made", ITEMS, column=F.upper("key"), force=True)
    assert Path("made").read_bytes() == whole([key and key.upper() for key in KEYS])
    bloomery_spark.build(df.where("key is null"), "made", ITEMS, column="key", force=True)
    assert Path("made").read_bytes() == whole([None])


VALUES = {
    "tinyint": -1,
    "bigint": 2**40,
    "float": 0.1,
    "double": 1e20,
    "decimal(10,2)": decimal.Decimal("12.50"),
    "boolean": True,
    "date": datetime.date(2024, 2, 29),
    "timestamp": datetime.datetime(2024, 2, 29, 12, 0, 0, 500000),
}


def test_other_values_are_cast_as_spark_casts_them(spark, folder):
    names = [f"c{i}" for i in range(len(VALUES))]
    of_types = ", ".join(f"{name} {of_type}" for name, of_type in zip(names, VALUES))
    df = spark.createDataFrame([tuple(VALUES.values()), (None,) * len(VALUES)], of_types)
    [texts] = df.limit(1).select(*(F.col(name).cast("string") for name in names)).collect()
    bloom("build", "-q", "-p", "1e-9", "-0", "-o", "of-texts", input="".join(f"{text}\0" for text in texts).encode())
    for name in names:
        df = bloomery_spark.may_contain(df, name, "of-texts", f"has_{name}")
    there, null = df.collect()
    assert [there[f"has_{name}"] for name in names] == [True] * len(names)
    assert [null[f"has_{name}"] for name in names] == [None] * len(names)
    with pytest.raises(TypeError, match="array<int>, which is not one key"):
        bloomery_spark.build(spark.sql("SELECT array(1) AS key"), "other", 10)


def test_scala_reads_a_filter(spark, folder):
    def read():
        stream = spark._jvm.java.io.FileInputStream(str(Path("made").resolve()))
        try:
            return spark._jvm.org.apache.spark.util.sketch.BloomFilter.readFrom(stream)
        finally:
            stream.close()

    bloomery_spark.build(FILES, "made", 20_000, format="spark-1")
    of_text = read()
    assert all(of_text.mightContainString(line) for line in LINES[:2000])
    assert sum(of_text.mightContainString(f"absent {i}") for i in range(1000)) < 60
    numbers = spark.range(5, 2005)
    bloomery_spark.build(numbers, "made", 2000, format="spark-1", key_type="int64", options=["-p", "1%"], force=True)
    of_numbers = read()
    assert all(of_numbers.mightContainLong(i) for i in range(5, 2005))
    theirs = numbers._jdf.stat().bloomFilter("id", 2000, 0.01)
    assert of_numbers.bitSize() == theirs.bitSize()
    answers = bloomery_spark.may_contain(numbers, "id", "made", key_type="int64")
    assert answers.where("may_contain").count() == 2000


def test_counts(spark, folder):
    distinct = len(set(LINES))
    assert bloomery_spark.count(FILES) == pytest.approx(distinct, rel=5 * 0.0041)
    assert bloomery_spark.count(column_of(spark), column="key") == pytest.approx(3001, rel=5 * 0.0041)


@pytest.mark.parametrize("way", [{}, {"by_segment": True}, {"format": "spark-1"}])
def test_too_many_keys(folder, way):
    with pytest.warns(BloomWarning, match="was sized for 10,000 keys and has about") as warned:
        bloomery_spark.build(FILES, "made", 10_000, tasks=2, **way)
    assert [warning.filename for warning in warned if warning.category is BloomWarning] == [__file__]
    for strict in {"strict": True}, {"options": ["--strict"]}:
        with pytest.raises(BloomError, match="was sized for 10,000 keys and has about"):
            bloomery_spark.build(FILES, "none", 10_000, tasks=2, **strict, **way)
    assert not Path("none").exists()


def test_mistakes(spark, folder):
    df = column_of(spark)
    Path("there").touch()
    for data, options, message in (
        (FILES, {"file": "there"}, "there exists already"),
        ("some.txt", {}, r"give a list of files: \['some.txt'\]"),
        (df.key, {}, "give its DataFrame, and the column as column="),
        (df.select("key", "key"), {}, "has 2 columns; name the one with the keys: column='key'"),
        (FILES, {"column": "key"}, "column= is for a DataFrame"),
        (FILES, {"format": "spark-1", "by_segment": True}, "has no parts"),
        (["nothing.txt"], {}, "^bloom: cannot read .*nothing.txt: no such file"),
        (FILES, {"options": ["--frp", "1%"]}, "^bloom: unknown option '--frp'"),
        (FILES, {"command": "no-bloom"}, "^cannot start no-bloom: No such file"),
        (column_of(spark, ["a\0b"]), {}, "a key has a NUL in it"),
    ):
        with pytest.raises(Exception, match=message):
            bloomery_spark.build(data, **{"file": "other", "items": 10, **options})
    assert Path("there").read_bytes() == b"" and not Path("other").exists()


# Ends the Python of a task, or its executor, as a system without memory does.
VICTIMS = {
    "bloom": ("kill -9 $$", "build was ended by SIGKILL"),
    "Python": ("kill -9 $PPID", "^org.apache.spark.SparkException: Job aborted .*Python worker exited"),
    "executor": (
        """p=$PPID; while [ "$(cat /proc/$p/comm)" != java ]; do p=$(awk '{ print $4 }' /proc/$p/stat); done; kill -9 $p; sleep 1""",
        "^org.apache.spark.SparkException: Job aborted .*ExecutorLostFailure",
    ),
}


@pytest.mark.parametrize("victim", VICTIMS)
def test_a_task_without_memory(spark, folder, victim):
    if victim == "executor" and not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("the executor is the driver")
    kill, message = VICTIMS[victim]
    killer = program(folder / "killer", kill)
    with pytest.raises(BloomError, match=f"(?s){message}.*raise spark.executor.memoryOverhead"):
        bloomery_spark.build(FILES, "none", ITEMS, command=killer)
    assert not Path("none").exists()


def test_the_driver_holds_no_more_than_a_part(folder, record_property):
    with Peak() as peak:
        bloomery_spark.build(FILES, "made", "400M", by_segment=True)
    assert Path("made").stat().st_size > 479_000_000
    # pytest keeps the folders of its last runs.
    Path("made").unlink()
    memory = {"command": peak.command, "Python": peak.python - peak.before}
    for name, most in memory.items():
        record_property(name, most)
        assert most < 200_000_000
    assert peak.command > 0
