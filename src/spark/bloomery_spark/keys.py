"""Keys: a column of a DataFrame, and its values as records of a pipe."""

from __future__ import annotations

from typing import Any, Optional, Union

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, MapType, NullType, StringType, StructType

ColumnOrName = Union[str, Column]

# The name that the column of keys has while it goes through Spark.
KEY = "bloomery_spark_key"


def with_keys(df: DataFrame, column: ColumnOrName) -> DataFrame:
    """The DataFrame with one more column at its end: the keys.

    Strings and bytes are keys as they are. Spark casts other values to strings.
    """
    key = F.col(column) if isinstance(column, str) else column
    of_type = df.select(key).schema[0].dataType
    if isinstance(of_type, (ArrayType, MapType, StructType, NullType)):
        raise TypeError(f"{column} has the type {of_type.simpleString()}, which is not one key; select a value in it")
    is_raw = isinstance(of_type, (StringType, BinaryType))
    return df.select("*", (key if is_raw else key.cast("string")).alias(KEY))


def keys_of(df: DataFrame, column: Optional[ColumnOrName]) -> DataFrame:
    """The keys alone, as a DataFrame of one column. Without a name, the DataFrame must have one column."""
    if column is not None:
        return with_keys(df, column).select(KEY)
    if len(df.columns) != 1:
        raise ValueError(f"the DataFrame has {len(df.columns)} columns; name the one with the keys: column={df.columns[0]!r}")
    return with_keys(df.toDF("key"), "key").select(KEY)


def records_of(keys: Any) -> bytes:
    """An Arrow array of keys as bytes: each key with a NUL behind it. None of the keys is null."""
    ended = pa.concat_arrays([keys.cast(pa.binary()), pa.array([b""])])
    records: bytes = pc.binary_join(pa.ListArray.from_arrays([0, len(ended)], ended), b"\0")[0].as_py()
    if records.count(b"\0") > len(keys):
        raise ValueError("a key has a NUL in it, which is where keys end in a pipe")
    return records
