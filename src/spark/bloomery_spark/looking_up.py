"""Filters queried by executors."""

from __future__ import annotations

import sys
import threading
from subprocess import Popen
from typing import Any, Iterable, Iterator, Optional

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from .command import BloomError, output, running, write
from .keys import ColumnOrName, records_of, with_keys
from .session import file_for_executors, warn


def may_contain(
    df: DataFrame,
    column: ColumnOrName,
    filter: str,
    name: str = "may_contain",
    *,
    key_type: Optional[str] = None,
    command: str = "bloom",
) -> DataFrame:
    """Returns the rows in their order, with one more column: whether the filter may contain the key in ``column``.

    :param column: The name of a column, or a ``Column``. Its values become keys as in :func:`build`. The answer to a null is
        null.
    :param filter: A file of the driver. Spark copies it to each executor once.
    :param name: The name of the new column.
    :param key_type: ``--key-type`` of ``bloom query``, for filters of other systems whose keys are not text.

    Example::

        new = bloomery_spark.may_contain(df, "url", "seen.bloom").where("not may_contain")
        old = bloomery_spark.may_contain(df, F.lower("url"), "seen.bloom").where("may_contain")
    """
    flags = ["-0", "--tag", "--exit-zero", "--threads", "1", *(["--key-type", key_type] if key_type else [])]
    # What is wrong with the filter is an error here, and not in each task later.
    output([command, "query", filter, *flags], [], warn)
    asked = with_keys(df, column)
    file = file_for_executors(filter)

    def answered(batches: Iterable[Any]) -> Iterator[Any]:
        query = [command, "query", SparkFiles.get(file), *flags]
        answers: Any = ()
        with running(query, lambda line: print(line, file=sys.stderr)) as child:
            for batch in batches:
                *columns, keys = batch.columns
                answers = answers_to(child, keys)
                if answers is None:
                    break
                yield pa.RecordBatch.from_arrays([*columns, answers], [*batch.schema.names[:-1], name])
        if answers is None:
            raise BloomError("bloom query ended before all of its keys")

    return asked.mapInArrow(answered, StructType([*df.schema.fields]).add(name, "boolean"))


def answers_to(child: Popen[bytes], keys: Any) -> Any:
    """The answers of a query to an Arrow array of keys: an array of booleans and nulls. None if the query has ended."""
    assert child.stdout
    asked = keys.drop_null()
    records = records_of(asked)
    # The query answers while it reads. It stops reading if nobody reads its answers meanwhile.
    writer = threading.Thread(target=write, args=(child, [records]))
    writer.start()
    tagged = child.stdout.read(len(records) + len(asked))
    writer.join()
    if len(tagged) < len(records) + len(asked):
        return None
    answers = [record[:1] == b"+" for record in tagged.split(b"\0")[:-1]]
    return pc.replace_with_mask(pa.nulls(len(keys), pa.bool_()), keys.is_valid(), pa.array(answers, pa.bool_()))
