import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { WHOLE_LINES } from '../../../src/engine/input/key-selection.ts';
import { scanFile } from '../../../src/engine/tasks/scan-file.ts';
import { NOTHING } from '../../../src/engine/tasks/tally.ts';
import type { Task } from '../../../src/engine/tasks/task.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloomery-scan-'));
afterAll(() => rmSync(folder, { recursive: true }));

// A task that makes a checksum of the file must not have a newer one than its keys: no update would notice the change.
test.each([1, 2 ** 20])('a task begins before a file of %d records is read', async (records) => {
  const name = join(folder, `${records}`);
  const text = (key: string) => `${key}\n`.repeat(records);
  writeFileSync(name, text('early'));
  let read = '';
  const task: Task = {
    begin: (begun) => writeFileSync(begun, text('later')),
    async scan(source) {
      const bytes = Buffer.alloc(16);
      read = bytes.toString('latin1', 0, source.read(bytes));
      return NOTHING;
    },
    scanText(_, bytes) {
      read = Buffer.from(bytes).toString('latin1');
      return NOTHING;
    },
    finish: () => ({ type: 'tally', ...NOTHING }),
  };
  expect(await scanFile(task, { name, isFound: false }, WHOLE_LINES)).toBe(NOTHING);
  expect(read.slice(0, 5)).toBe('later');
});
