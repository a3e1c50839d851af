"""A Spark session with two executors, and the command `bloom` in its PATH.

SPARK_MASTER names another master than `local-cluster[2,1,512]`, where Spark cannot start executors: `local[2]`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MASTER = os.environ.get("SPARK_MASTER", "local-cluster[2,1,512]")

# Lines of files, with keys that are there twice, and an empty one.
LINES = ["", *(f"https://example.org/{i % 19_000}/é" for i in range(20_000))]


def bloom(*arguments, **options):
    """Runs the command, which must succeed, and returns its output."""
    return subprocess.run(["bloom", *map(str, arguments)], check=True, stdout=subprocess.PIPE, **options).stdout


def program(path, *lines):
    """Writes a program of the shell. A process may still run the one before, and nobody can write to that file."""
    new = path.with_name(f"{path.name}.new")
    new.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    new.chmod(0o755)
    new.replace(path)
    return str(path)


@pytest.fixture(scope="session")
def temporary(tmp_path_factory):
    """The folder for temporary files of Spark and of the package. At the end nothing may be left in it."""
    folder = tmp_path_factory.mktemp("temporary")
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    yield folder
    assert [path for path in folder.rglob("*") if path.is_file()] == []


@pytest.fixture(scope="session")
def spark(temporary, tmp_path_factory):
    from pyspark.sql import SparkSession

    programs = tmp_path_factory.mktemp("programs")
    program(programs / "bloom", f"exec {shutil.which('node')} '{ROOT}/bin/bloom.js' \"$@\"")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
    quick_java = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": quick_java,
        "spark.executor.extraJavaOptions": quick_java,
        "spark.executor.memory": "512m",
        "spark.local.dir": str(temporary),
        "spark.log.level": "OFF",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.task.maxFailures": "1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    session = SparkSession.builder.master(MASTER).config(map=settings).getOrCreate()
    print(f"\nSpark {session.version}, {MASTER}")
    session.range(1).count()
    application = session.sparkContext.applicationId
    java = session.sparkContext._gateway.proc
    yield session
    session.stop()
    # Spark removes its temporary files when Java ends.
    java.stdin.close()
    java.wait()
    # Executors of `local-cluster` leave what their machine would remove.
    home = Path(__import__("pyspark").__file__).parent
    shutil.rmtree(home / "work" / application, ignore_errors=True)


@pytest.fixture
def folder(spark, tmp_path, monkeypatch):
    """The folder of a test, with lines in two files."""
    monkeypatch.chdir(tmp_path)
    third = len(LINES) // 3
    for name, lines in ("some.txt", LINES[:third]), ("more.txt", LINES[third:]):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path
