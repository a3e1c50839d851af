"""The programs of the page about engines: twice in a row, with a task that fails, and once more."""

import contextlib
import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import LINES, ROOT, bloom, program
from pyarrow import parquet

PAGE = (ROOT / "src" / "commands" / "ENGINES.md").read_text()
VISITS = [*LINES[:50], *(f"absent {i}" for i in range(100)), None]


def blocks_of(section):
    """The programs of a section in Python."""
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


ANSWERS, DASK_BUILD, DASK, RAY_BUILD, RAY, DUCKDB, POLARS = blocks_of("Dask, Ray, DuckDB and Polars")


def run(text, **names):
    exec(compile(text, "ENGINES.md", "exec"), names)
    return names


@contextlib.contextmanager
def a_failure(folder, subcommand):
    """The next such command fails; somebody must notice it."""
    command, failing = Path(shutil.which("bloom")), folder / "failing"
    before = command.read_text()
    failing.touch()
    fail = f"if [ \"$1\" = {subcommand} ] && rm '{failing}' 2> /dev/null; then exit 1; fi"
    program(command, fail, *before.splitlines()[1:])
    try:
        with pytest.raises(Exception):
            yield
        assert not failing.exists()
    finally:
        program(command, *before.splitlines()[1:])


def expect_filter(folder, make, output):
    """Each run makes the filter `whole`, or raises an error and leaves it as it was."""
    whole = Path("whole").read_bytes()
    for _ in range(2):
        make()
        assert Path(output).read_bytes() == whole
    with a_failure(folder, "build"):
        make()
    assert Path(output).read_bytes() == whole
    make()
    assert Path(output).read_bytes() == whole


def test_spark(spark, folder):
    bloom("build", "-q", "-n", "3M", "-p", "0.1%", "some.txt", "more.txt", "-o", "whole")
    lines = [(line,) for line in LINES] + [("absent",), (None,)]
    spark.createDataFrame(lines[:-2], "key string").createOrReplaceTempView("visits")
    [text, *_] = blocks_of("Spark")
    expect_filter(folder, lambda: run(text, spark=spark), "visits.bloom")
    spark.createDataFrame(lines, "key string").createOrReplaceTempView("visits")
    assert [row.key for row in run(text.replace("strict=True, ", ""), spark=spark)["new"].collect()] == ["absent"]


def expect_urls(folder, text):
    (folder / "urls.txt").write_text("".join(f"https://example.org/{i}\n" for i in range(3000)))
    bloom("build", "-q", "-n", "1M", "urls.txt", "-o", "whole")
    expect_filter(folder, lambda: run(text), "urls.bloom")


@pytest.fixture
def visits(folder, monkeypatch):
    """Rows in a file, a filter of some of their keys, and answers.py for programs and their workers."""
    bloom("build", "-q", "-p", "1e-9", "some.txt", "-o", "seen.bloom")
    parquet.write_table(pa.table({"number": list(range(len(VISITS))), "key": VISITS}), "visits.parquet")
    Path("answers.py").write_text(ANSWERS)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    yield folder
    sys.modules.pop("answers", None)


def expect_answers(folder, answers):
    """Each run returns the rows as (number, answer), or raises an error."""
    expected = [(i, None if key is None else key in LINES) for i, key in enumerate(VISITS)]
    for _ in range(2):
        assert sorted(answers()) == expected
    with a_failure(folder, "query"):
        answers()
    assert sorted(answers()) == expected


def needs(module):
    return pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=f"there is no {module}")


@needs("dask")
def test_dask(visits):
    def answers():
        made = run(DASK)["visits"].compute(scheduler="threads")
        return zip(made["number"], made["seen"].astype(object).where(made["seen"].notna(), None))

    expect_urls(visits, DASK_BUILD)
    expect_answers(visits, answers)


@needs("ray")
def test_ray(visits):
    import ray

    temporary = f"/tmp/ray-{os.getpid()}"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=temporary)
    try:
        expect_urls(visits, RAY_BUILD)
        # The workers are in another folder.
        (visits / "answers.py").write_text(ANSWERS.replace('"seen.bloom"', f'"{visits}/seen.bloom"'))
        expect_answers(visits, lambda: [(row["number"], row["seen"]) for row in run(RAY)["visits"].take_all()])
    finally:
        ray.shutdown()
        shutil.rmtree(temporary, ignore_errors=True)


@needs("duckdb")
def test_duckdb(visits):
    expect_answers(visits, lambda: run(DUCKDB)["visits"].select("number", "seen").fetchall())


@needs("polars")
def test_polars(visits):
    expect_answers(visits, lambda: run(POLARS)["visits"].select("number", "seen").rows())
