// Who holds a file, by the notes beside it: nobody, this process, a live process, or a dead one.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { holding } from '../../src/io/hold.ts';
import { ENDING_SIGNALS } from '../../src/io/system.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-hold-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'seen');
const note = join(folder, '.seen.holder');
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

const held = (name = file) => holding(name, 'seen', async () => readlinkSync(note));
const hasProc = existsSync('/proc/self/stat');

/** The number of a process that has ended. */
const { pid: ended } = spawnSync('true');

test('the note exists during the work, and names this process', async () => {
  expect(await held()).toMatch(new RegExp(`^${process.pid} \\S+ ${hostname()}$`));
  expect(readdirSync(folder)).toEqual([]);
});

test('it is removed if the work fails', async () => {
  const failing = holding(file, 'seen', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('one of two at the same time is refused, and the note of the other stays', async () => {
  await holding(file, 'seen', async () => {
    const before = readlinkSync(note);
    await expect(held()).rejects.toThrow(`seen is in use by another bloom, process ${process.pid}`);
    expect(readlinkSync(note)).toBe(before);
  });
  await held();
});

test('signals have handlers before the note exists, and until it is removed', async () => {
  const handlers = () => ENDING_SIGNALS.map((signal) => process.listenerCount(signal));
  const before = handlers();
  const holdingIt = holding(file, 'seen', async () => {});
  // No await has happened yet in which a signal could arrive.
  expect(handlers()).toEqual(before.map((count) => count + 1));
  await holdingIt;
  expect(handlers()).toEqual(before);
});

test('long names with equal beginnings have separate notes, whose names are short enough', async () => {
  const names = ['a', 'b'].map((end) => join(folder, `${'é'.repeat(126)}${end}`));
  for (const name of names) writeFileSync(name, '');
  await holding(names[0] ?? '', 'one', async () => {
    await holding(names[1] ?? '', 'other', async () => expect(readdirSync(folder)).toHaveLength(4));
    await expect(holding(names[0] ?? '', 'one', async () => {})).rejects.toThrow('one is in use');
  });
  expect(readdirSync(folder)).toHaveLength(2);
});

describe('the note of', () => {
  test.each([
    ['a process that has ended', () => `${ended} - ${hostname()}`],
    ['a machine that was started anew since', () => `${process.pid} 1@00000000@1 ${hostname()}`],
  ])('%s is replaced, in a link or in a file', async (_, left) => {
    symlinkSync(left(), note);
    expect(await held()).toContain(`${process.pid} `);
    writeFileSync(note, `${left()}\n`);
    expect(await held()).toContain(`${process.pid} `);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the note of a process that was killed before it wrote the text is replaced after a while', async () => {
    writeFileSync(note, '');
    let now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 1000;
      return now;
    });
    expect(await held()).toContain(`${process.pid} `);
    clock.mockRestore();
  });

  test.runIf(hasProc)('the note of a process whose number another process has now is replaced', async () => {
    symlinkSync(`${process.ppid} 1 ${hostname()}`, note);
    expect(await held()).toContain(`${process.pid} `);
  });

  test('the note of a process of another machine is respected, because its state is unknown', async () => {
    const left = `${ended} 17 elsewhere`;
    symlinkSync(left, note);
    await expect(held()).rejects.toMatchObject({
      message: expect.stringContaining('on elsewhere'),
      hint: `if that process has ended, remove ${note}`,
    });
    expect(readlinkSync(note)).toBe(left);
  });

  test.runIf(hasProc)('the note of a process of another container is respected', async () => {
    const [boot] = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').split('-');
    symlinkSync(`${ended} 17@${boot}@1 ${hostname()}`, note);
    await expect(held()).rejects.toThrow('is in use by another bloom');
  });

  test('the right of a process that was killed while it removed a note is replaced too', async () => {
    for (const name of [note, `${note}.left`, `${note}.left.left`]) symlinkSync(`${ended} - ${hostname()}`, name);
    expect(await held()).toContain(`${process.pid} `);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a file that is not a note is refused at once, and not changed:', () => {
  const victim = join(folder, 'victim');
  test.each([
    ['a link to a file', () => symlinkSync(victim, note)],
    ['a link to a note', () => symlinkSync('victim', note)],
    ['a file of others', () => writeFileSync(note, 'text of others')],
    ['a folder', () => mkdirSync(note)],
    ['a pipe', () => execFileSync('mkfifo', [note])],
  ])('%s', async (_, plant) => {
    const content = `${ended} - ${hostname()}\n`;
    writeFileSync(victim, content);
    plant();
    const before = lstatSync(note);
    await expect(held()).rejects.toMatchObject({
      message: `${note} exists, and bloom cannot replace it`,
      hint: 'if no other bloom works on seen, remove that file',
    });
    expect(lstatSync(note)).toMatchObject({ ino: before.ino, mode: before.mode, size: before.size });
    expect(readFileSync(victim, 'utf8')).toBe(content);
  });
});

test('an old empty file is replaced at once', async () => {
  writeFileSync(note, '');
  utimesSync(note, 1, 1);
  const clock = vi.spyOn(performance, 'now');
  await held();
  // One look at the clock begins the wait, and no other follows.
  expect(clock).toHaveBeenCalledTimes(1);
  clock.mockRestore();
});
