import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { WHOLE_LINES } from '../../../src/engine/input/key-selection.ts';
import { scanFile } from '../../../src/engine/tasks/scan-file.ts';
import { NOTHING } from '../../../src/engine/tasks/tally.ts';
import type { Task } from '../../../src/engine/tasks/task.ts';
import { readFully } from '../../../src/io/source.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloomery-scan-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Bytes of a file that is read at once, and of another. */
const SIZES = [6, 2 ** 20];

// A task that makes a checksum of the file must not have a newer one than its keys: no update would notice the change.
test.each(SIZES.flatMap((size) => [-3, 0, 3].map((change) => [size, change])))(
  'a task begins before a file of %d bytes is read, which then changes by %d bytes',
  async (size, change) => {
    const name = join(folder, `${size}${change}`);
    writeFileSync(name, 'x'.repeat(size));
    let read = Buffer.alloc(0);
    const task: Task = {
      begin: (begun) => writeFileSync(begun, 'y'.repeat(size + change)),
      async scan(source) {
        const bytes = Buffer.alloc(size + change + 1);
        read = bytes.subarray(0, await readFully(source, bytes));
        return NOTHING;
      },
      scanText(_, bytes) {
        read = Buffer.from(bytes);
        return NOTHING;
      },
      finish: () => ({ type: 'tally', ...NOTHING }),
    };
    expect(await scanFile(task, { name, size, isFound: false }, WHOLE_LINES)).toBe(NOTHING);
    expect(read.equals(Buffer.alloc(size + change, 'y'))).toBe(true);
  },
);
