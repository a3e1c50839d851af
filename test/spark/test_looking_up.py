"""A column of answers stands beside the rows, in their order; the filter is where it is needed, and only there."""

import os
from pathlib import Path

import bloomery_spark
import pytest
from bloomery_spark import BloomError
from conftest import LINES, bloom
from pyspark.sql import functions as F

ROWS = [*LINES[:9000], *(None if i % 7 == 0 else f"absent\n{i}" for i in range(9000))]


def table(spark):
    """The rows in several partitions, in their order."""
    return spark.createDataFrame(spark.sparkContext.parallelize(enumerate(ROWS), 3), "number long, key string")


def single_query(filter):
    """The answers of one query. None where there is no key."""
    given = "".join(f"{key}\0" for key in ROWS if key is not None).encode()
    answers = iter(bloom("query", filter, "-0", "--tag", input=given).split(b"\0"))
    return [None if key is None else next(answers).startswith(b"+") for key in ROWS]


def test_answers(spark, folder):
    bloom("build", "-q", "some.txt", "more.txt", "-o", "seen.bloom")
    answered = bloomery_spark.may_contain(table(spark), "key", "seen.bloom", "text")
    answered = bloomery_spark.may_contain(answered, F.encode("key", "UTF-8"), "seen.bloom")
    expected = single_query("seen.bloom")
    assert True in expected and False in expected and None in expected
    rows = answered.collect()
    assert [row.number for row in rows] == list(range(len(ROWS)))
    assert [(row.text, row.may_contain) for row in rows] == [(expected[row.number],) * 2 for row in rows]
    assert answered.columns == ["number", "key", "text", "may_contain"]


def copies(folder, size):
    return [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size == size]


def test_a_filter_is_copied_once_until_it_changes(spark, folder, temporary):
    bloom("build", "-q", "-n", "1234567", "some.txt", "-o", "seen.bloom")
    size = Path("seen.bloom").stat().st_size
    rows = table(spark).where("number < 3")
    for _ in range(3):
        asked = bloomery_spark.may_contain(rows, "key", "seen.bloom")
        assert [row.may_contain for row in asked.collect()] == [True] * 3
    found = copies(temporary, size)
    assert 1 <= len(found) <= 3, found  # one of the driver, and one of each executor

    Path("seen.bloom").unlink()
    bloom("build", "-q", "-n", "1234567", os.devnull, "-o", "seen.bloom")
    assert [row.may_contain for row in bloomery_spark.may_contain(rows, "key", "seen.bloom").collect()] == [False] * 3
    assert [row.may_contain for row in asked.collect()] == [True] * 3


def test_mistakes(spark, folder):
    mistakes = {"nothing.bloom": "^bloom: cannot read nothing.bloom: no such file", "some.txt": "some.txt is not a filter"}
    for filter, message in mistakes.items():
        with pytest.raises(BloomError, match=message):
            bloomery_spark.may_contain(table(spark), "key", filter)
    bloom("build", "-q", "some.txt", "-o", "seen.bloom")
    with pytest.raises(TypeError, match="struct<.*which is not one key"):
        bloomery_spark.may_contain(table(spark), F.struct("key"), "seen.bloom")
