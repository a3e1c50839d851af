// Who holds a file, by what is beside it: nothing, this process, one that lives, and what others have left.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { holding } from '../../src/io/hold.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-hold-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'seen');
const note = join(folder, '.seen.holder');
beforeEach(() => rmSync(note, { force: true }));

const held = () => holding(file, 'seen', async () => readFileSync(note, 'utf8'));
const hasProc = existsSync('/proc/self/stat');

/** The number of a process that has ended. */
const ended = () => spawnSync(process.execPath, ['-e', '0']).pid;

test('the note stands as long as the work goes on, and names this process', async () => {
  expect(await held()).toMatch(new RegExp(`^${process.pid} \\S+ ${hostname()}\\n$`));
  expect(existsSync(note)).toBe(false);
});

test('it is gone when the work fails', async () => {
  const failing = holding(file, 'seen', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(existsSync(note)).toBe(false);
});

test('of two at once one is refused, and the note of the other stays', async () => {
  await holding(file, 'seen', async () => {
    const before = readFileSync(note, 'utf8');
    await expect(held()).rejects.toThrow(`seen is in use by another bloom, process ${process.pid}`);
    expect(readFileSync(note, 'utf8')).toBe(before);
  });
  await held();
});

describe('what is left by', () => {
  test.each([
    ['a process that has ended', () => `${ended()} - ${hostname()}\n`],
    ['one that was killed while it wrote', () => ''],
    ['one that was killed a little later', () => `${process.pid} 12`],
  ])('%s is of no account', async (_, left) => {
    writeFileSync(note, left());
    expect(await held()).toContain(`${process.pid} `);
  });

  test.runIf(hasProc)('one whose number another process has now is of no account', async () => {
    writeFileSync(note, `${process.ppid} 1 ${hostname()}\n`);
    expect(await held()).toContain(`${process.pid} `);
  });

  test('a process of another machine is respected, as nobody here can tell', async () => {
    const left = `${ended()} 17 elsewhere\n`;
    writeFileSync(note, left);
    await expect(held()).rejects.toMatchObject({
      message: expect.stringContaining('on elsewhere'),
      hint: `if that has ended, remove ${note}`,
    });
    expect(readFileSync(note, 'utf8')).toBe(left);
  });
});
