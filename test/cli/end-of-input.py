# Runs a command whose standard input is a terminal, sends the end of input once, and prints what the command wrote and its status.

import os
import pty
import subprocess
import sys

leader, follower = pty.openpty()
command = subprocess.Popen(sys.argv[2:], stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
# The command has written that it reads.
begun = command.stderr.readline()
os.write(leader, sys.argv[1].encode() + b"\x04")
out, err = command.communicate()
print((begun + err + out).decode(), command.returncode)
