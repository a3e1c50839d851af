// The Python for the tests, if it is installed.

import { spawnSync } from 'node:child_process';

/** Python itself, as the command python3 may be a script that searches for it each time. The tests need two modules. */
export const PYTHON = spawnSync('python3', ['-c', 'import fcntl, pty, sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout?.trim();
if (!PYTHON) console.log('python3 is missing: what it reads or runs is not tested');
