"""Files of columns with filters by pyarrow and by DuckDB, and what their rows and DuckDB say of keys."""

import datetime
import json

import duckdb
import pyarrow
from pyarrow import orc, parquet

ROWS = 5000
# Rows per row group, in DuckDB a multiple of 2048, and per group of a stripe.
GROUP_ROWS = 2048
STRIDE = 1000

# The value of number n in a column of each type.
VALUES = {
    "text": lambda n: f"key {n} é",
    "int": lambda n: n * 7 - 1000,
    "long": lambda n: n * 10**12 - 10**15,
    "single": lambda n: n * 0.5,
    "double": lambda n: n * 1e-3 - 1,
    "day": lambda n: datetime.date(1960, 1, 1) + datetime.timedelta(days=n),
    "time": lambda n: datetime.datetime(1969, 12, 31, 23) + datetime.timedelta(milliseconds=n * 1601),
}

TYPES = {
    "text": pyarrow.string(),
    "int": pyarrow.int32(),
    "long": pyarrow.int64(),
    "single": pyarrow.float32(),
    "double": pyarrow.float64(),
    "day": pyarrow.date32(),
    "time": pyarrow.timestamp("us"),
}


def number_of(row):
    """Equal values are in rows far from each other. Some rows have no value."""
    return None if row % 97 == 0 else (row * 7919) % 3001


def table():
    numbers = [number_of(row) for row in range(ROWS)]
    columns = {
        name: pyarrow.array([None if n is None else value(n) for n in numbers], TYPES[name])
        for name, value in VALUES.items()
    }
    return pyarrow.table(columns)


def write_pyarrow(file):
    filters = {name: {"ndv": GROUP_ROWS, "fpp": 0.1} for name in VALUES}
    parquet.write_table(table(), file, row_group_size=GROUP_ROWS, bloom_filter_options=filters)


def write_duckdb(file):
    written = table()
    # DuckDB makes filters only for columns with a dictionary.
    options = f"format parquet, row_group_size {GROUP_ROWS}, dictionary_size_limit {ROWS}"
    duckdb.sql(f"copy (select * from written) to '{file}' ({options}, bloom_filter_false_positive_ratio 0.1)")


def write_orc(file):
    # Number 0 is the row.
    columns = range(1, 1 + len(VALUES))
    settings = {"row_index_stride": STRIDE, "stripe_size": 1, "bloom_filter_columns": list(columns)}
    orc.write_table(table(), file, bloom_filter_fpp=0.1, **settings)


WRITERS = {"pyarrow": write_pyarrow, "duckdb": write_duckdb, "orc": write_orc}


def parts_of(sort, file):
    """The parts of a file that have filters of their own, by their names, with their rows."""
    if sort != "orc":
        stored = parquet.ParquetFile(file)
        return {f"row group {i}": stored.read_row_group(i) for i in range(stored.num_row_groups)}
    stored = orc.ORCFile(file)
    parts = {}
    for i in range(stored.nstripes):
        stripe = pyarrow.Table.from_batches([stored.read_stripe(i)])
        for group, row in enumerate(range(0, stripe.num_rows, STRIDE)):
            parts[f"stripe {i}, row group {group}"] = stripe.slice(row, STRIDE)
    return parts


def may_have(file, column, value):
    """Where the value may be by DuckDB's reading of the filters."""
    probe = "select row_group_id, bloom_filter_excludes from parquet_bloom_probe(?, ?, ?)"
    found = duckdb.execute(probe, [file, column, value]).fetchall()
    return [f"row group {group}" for group, excludes in found if not excludes]


def text(value):
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def asked(sort, file, name, parts):
    """Values of a column as text, each with the parts that have it, and those that may by DuckDB."""
    members = {part: set(rows.column(name).to_pylist()) for part, rows in parts.items()}
    for n in range(0, 6000, 61):
        value = VALUES[name](n)
        present = [part for part, values in members.items() if value in values]
        yield text(value), present, present if sort == "orc" else may_have(file, name, value)


def write_columns(sort, file, report):
    WRITERS[sort](file)
    parts = parts_of(sort, file)
    columns = {name: list(asked(sort, file, name, parts)) for name in VALUES}
    with open(report, "w") as stored:
        json.dump(columns, stored)


def close():
    pass
