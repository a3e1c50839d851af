"""Reads what a command writes, slowly for some seconds and then as it comes, and prints it.

usage: slow-reader.py SECONDS BYTES blocking|nonblocking COMMAND...

The standard output and the standard error of the command are the same small pipe, of which BYTES are read at a time. Ends with the
status of the command.
"""

import fcntl
import os
import subprocess
import sys
import time

PAUSE = 0.01

seconds, size, mode, command = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
pipe, output = os.pipe()
fcntl.fcntl(output, fcntl.F_SETPIPE_SZ if hasattr(fcntl, 'F_SETPIPE_SZ') else 1031, 4096)
os.set_blocking(output, mode == 'blocking')
child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
os.close(output)
end = time.monotonic() + seconds
while True:
    is_slow = time.monotonic() < end
    piece = os.read(pipe, size if is_slow else 65536)
    if not piece:
        break
    sys.stdout.buffer.write(piece)
    if is_slow:
        time.sleep(PAUSE)
sys.stdout.flush()
sys.exit(child.wait())
