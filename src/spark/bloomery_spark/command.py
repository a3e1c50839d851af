"""The command ``bloom`` with pipes, on the driver and on executors."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import tempfile
from typing import Callable, Iterable, Iterator, List, Sequence

# Bytes that go through a pipe, or through Spark, as one.
PIECE = 2**24

MEMORY_ADVICE = (
    "if it was out of memory, raise spark.executor.memoryOverhead, because bloom and Python work outside the memory of the JVM"
)

# Accepts each line that a command has written to its standard error.
Say = Callable[[str], None]


class BloomError(RuntimeError):
    """A command or an executor failed. The message begins with its error."""


class BloomWarning(UserWarning):
    """A warning of a command that succeeded, such as one of a filter with more keys than its capacity."""


def output(arguments: Sequence[str], chunks: Iterable[bytes], say: Say) -> bytes:
    """Returns the output of a command that has read all of the chunks."""
    return b"".join(pieces(arguments, chunks, say))


def pieces(arguments: Sequence[str], chunks: Iterable[bytes], say: Say) -> Iterator[bytes]:
    """Yields the output of a command that has read all of the chunks, piece by piece."""
    with running(arguments, say) as child:
        assert child.stdin and child.stdout
        write(child, chunks)
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
        while True:
            piece = child.stdout.read(PIECE)
            if not piece:
                break
            yield piece


def write(child: subprocess.Popen[bytes], chunks: Iterable[bytes]) -> None:
    """Writes to a command. If the command reads no more, its status says so."""
    assert child.stdin
    with contextlib.suppress(BrokenPipeError):
        for chunk in chunks:
            child.stdin.write(chunk)
            child.stdin.flush()


@contextlib.contextmanager
def running(arguments: Sequence[str], say: Say) -> Iterator[subprocess.Popen[bytes]]:
    """A command with pipes, which must end with status 0. An error of its user comes before an error of the command."""
    with tempfile.TemporaryFile() as stderr:
        try:
            child = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
        except OSError as error:
            raise BloomError(
                f"cannot start {arguments[0]}: {error.strerror}; install it on every machine, or name it with command="
            ) from error
        try:
            yield child
            close(child)
        except BaseException:
            child.kill()
            close(child)
            raise
        stderr.seek(0)
        said = stderr.read().decode(errors="replace").splitlines()
    if child.returncode != 0:
        raise BloomError(failure(arguments, child.returncode, said))
    for line in said:
        say(line)


def close(child: subprocess.Popen[bytes]) -> None:
    """Ends the input of a command, discards the rest of its output, and waits for it."""
    assert child.stdin and child.stdout
    with contextlib.suppress(BrokenPipeError):
        child.stdin.close()
    while child.stdout.read(PIECE):
        pass
    child.stdout.close()
    child.wait()


def failure(arguments: Sequence[str], status: int, said: List[str]) -> str:
    """The message about a failed command: its last line is its error."""
    command = " ".join(arguments[:2])
    if status >= 0:
        return said[-1] if said else f"{command} ended with status {status}"
    name = signal.Signals(-status).name
    return f"{command} was ended by {name}; {MEMORY_ADVICE}" if name == "SIGKILL" else f"{command} was ended by {name}"
