"""The memory of a driver, from the files of Linux."""

import os
import threading
import time
from pathlib import Path


class Peak:
    """The most resident memory in bytes while a block runs: of this process, its Java, and any other command that it runs."""

    def __enter__(self):
        self.before = self.python = _resident("self")
        self.java = self.command = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()

    def _watch(self):
        while not self._ended.is_set():
            self.python = max(self.python, _resident("self"))
            for process in _children():
                if _read(process, "comm") == "java\n":
                    self.java = max(self.java, _resident(process))
                else:
                    self.command = max(self.command, _resident(process))
            time.sleep(0.01)


def _children():
    return " ".join(_read("self", f"task/{thread}/children") for thread in os.listdir("/proc/self/task")).split()


def _resident(process):
    return int((_read(process, "statm") or "0 0").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _read(process, name):
    """A file about a process. Empty if the process has ended."""
    try:
        return Path(f"/proc/{process}/{name}").read_text()
    except OSError:
        return ""
