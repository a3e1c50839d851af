"""Runs a command as a shell does that has a pager behind it, on a terminal of its own.

usage: pager.py END COMMAND...

The pager has the modes of the terminal when the command starts, and has given them back before the command ends: after its first
output. END is "quit" (the pager closes the pipe), "read" (it reads to the end), or the number of a signal that ends the command.
Prints JSON: whether the terminal has an echo in the end, the status of the command, and what the command wrote to the terminal.
"""

import json
import os
import pty
import select
import subprocess
import sys
import termios

LOCAL_MODES = 3

end, command = sys.argv[1], sys.argv[2:]
screen, terminal = pty.openpty()
shells = termios.tcgetattr(terminal)
pagers = termios.tcgetattr(terminal)
pagers[LOCAL_MODES] &= ~(termios.ECHO | termios.ICANON)
termios.tcsetattr(terminal, termios.TCSANOW, pagers)
pipe, output = os.pipe()
child = subprocess.Popen(command, stdin=terminal, stdout=output, stderr=terminal)
os.close(output)
os.read(pipe, 1)
termios.tcsetattr(terminal, termios.TCSANOW, shells)
if end == 'read':
    while os.read(pipe, 65536):
        pass
elif end != 'quit':
    child.send_signal(int(end))
    child.wait()
os.close(pipe)
status = child.wait()
shown = b''
while select.select([screen], [], [], 0)[0]:
    shown += os.read(screen, 65536)
has_echo = bool(termios.tcgetattr(terminal)[LOCAL_MODES] & termios.ECHO)
print(json.dumps({'echo': has_echo, 'status': status, 'shown': shown.decode()}))
