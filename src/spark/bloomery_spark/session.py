"""What the driver has in common with its executors: this package, files, messages and errors."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import warnings
from pathlib import Path
from typing import FrozenSet, Iterator

from py4j.protocol import Py4JJavaError
from pyspark import AccumulatorParam, SparkContext, SparkFiles
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from .command import MEMORY_ADVICE, BloomError, BloomWarning, Say


_PACKAGE = os.path.dirname(__file__)


def context_with_package() -> SparkContext:
    """The context of the session. Its executors can import this package from now on."""
    context = SparkSession.builder.getOrCreate().sparkContext
    archive = Path(SparkFiles.getRootDirectory(), "bloomery_spark_of_the_driver.zip")
    if not archive.exists():
        package = Path(__file__).parent
        shutil.make_archive(str(archive.with_suffix("")), "zip", package.parent, package.name)
        context.addPyFile(str(archive))
    return context


def file_for_executors(file: str) -> str:
    """Has Spark copy a file to each executor once, as long as the file does not change. Returns its name there.

    The only copy on the driver is the one that Spark itself needs, and removes at its end. A changed file gets another name,
    because Spark never replaces a file.
    """
    context = context_with_package()
    with open(file, "rb") as source:
        state = os.fstat(source.fileno())
        key = repr((os.path.realpath(file), state.st_ino, state.st_size, state.st_mtime_ns))
        name = f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.bloom"
        copy = Path(SparkFiles.getRootDirectory(), name)
        if not copy.exists():
            unfinished = copy.with_suffix(".unfinished")
            with unfinished.open("wb") as target:
                shutil.copyfileobj(source, target, 2**20)
            unfinished.rename(copy)
            context.addFile(str(copy))
    return name


class _Lines(AccumulatorParam[FrozenSet[str]]):
    """Lines of all tasks. A task that Spark repeats says the same again."""

    def zero(self, value: FrozenSet[str]) -> FrozenSet[str]:
        return frozenset()

    def addInPlace(self, value1: FrozenSet[str], value2: FrozenSet[str]) -> FrozenSet[str]:
        return value1 | value2


@contextlib.contextmanager
def job(context: SparkContext) -> Iterator[Say]:
    """The work of one call: what tasks say becomes warnings, and a failed task becomes a `BloomError`."""
    lines = context.accumulator(frozenset(), _Lines())
    with clear_errors():
        # The driver merges all shares, and then says itself that a filter has too many keys.
        yield lambda line: None if "was sized for" in line else lines.add(frozenset([line]))
    for line in sorted(lines.value):
        warn(line)


def warn(line: str) -> None:
    """Warns with a line of a command, at the line of code that called this package."""
    depth, frame = 1, sys._getframe()
    while frame.f_back and (os.path.dirname(frame.f_code.co_filename) == _PACKAGE or "contextlib" in frame.f_code.co_filename):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(re.sub("^bloom: (warning: )?", "", line), BloomWarning, stacklevel=depth)


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Turns an error of Spark into a `BloomError`, whose message has what failed first."""
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        raise BloomError(reason(str(error))) from error


# The last line of the traceback of a task.
_OF_TASK = re.compile(r"^(?:[\w.]*\.)?BloomError: (.*)$", re.MULTILINE)

# A task, its Python or its executor that is gone.
_IS_LOST = re.compile(r"ExecutorLostFailure|Python worker exited|exit(ed with)? code 137|SIGKILL|OutOfMemory|memory limits")


def reason(error: str) -> str:
    """The message of a failed command in the error of a job. If no command failed, what Spark says."""
    of_task = _OF_TASK.search(error)
    if of_task is not None:
        return of_task[1]
    of_spark = re.sub(r"^An error occurred while calling .*\n: ", "", error)
    said = re.split(r"\n\s*(?:Driver stacktrace|at [\w.$]+\()", of_spark)[0].strip()
    return f"{said}\n{MEMORY_ADVICE}" if _IS_LOST.search(error) else said
