// The system calls for an output, whatever the system answers: fewer bytes than given, nothing for now, or a refusal.

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { writeOutput } from '../../src/io/atomic-file.ts';
import { stateOf } from '../../src/io/look.ts';
import { replaceCalls } from '../replaced-calls.ts';

/**
 * The calls in order, the next results, and the files of other owners. A result is the code of a failure, the most bytes of a write, or
 * 'unwritten' for a write that is only reported.
 */
const system = {
  calls: [] as string[],
  writes: [] as (string | number)[],
  syncs: [] as string[],
  owners: [] as string[],
  links: [] as string[],
  closes: [] as string[],
  foreign: [] as string[],
};

replaceCalls((fs) => {
  const failure = (code: string) => Object.assign(new Error(code), { code });
  type Written = (error: Error | null, bytes: number) => void;
  return {
    write(fd: number, bytes: Uint8Array, from: number, length: number, position: null, done: Written) {
      const next = system.writes.shift();
      if (next === 'unwritten') done(null, length);
      else if (typeof next === 'string') done(failure(next), 0);
      else fs.write(fd, bytes, from, Math.min(length, next ?? length), position, done);
    },
    statSync(...parameters: Parameters<typeof fs.statSync>) {
      const stat = fs.statSync(...parameters);
      return stat && system.foreign.includes(String(parameters[0]))
        ? Object.assign(stat, { uid: Number(stat.uid) + 1 })
        : stat;
    },
    fchownSync(fd: number, uid: number, gid: number) {
      system.calls.push(`owner ${uid}:${gid}`);
      const next = system.owners.shift();
      if (next !== undefined) throw failure(next);
      fs.fchownSync(fd, uid, gid);
    },
    fsync(fd: number, done: (error: Error | null) => void) {
      system.calls.push(`sync ${fs.fstatSync(fd).ino}`);
      const next = system.syncs.shift();
      if (next === undefined) fs.fsync(fd, done);
      else done(failure(next));
    },
    fsyncSync(fd: number) {
      system.calls.push(`sync ${fs.fstatSync(fd).ino}`);
      fs.fsyncSync(fd);
    },
    closeSync(fd: number) {
      fs.closeSync(fd);
      const next = system.closes.shift();
      if (next !== undefined) throw failure(next);
    },
    linkSync(from: string, to: string) {
      const next = system.links.shift();
      if (next !== undefined) throw failure(next);
      system.calls.push(`name ${to}`);
      fs.linkSync(from, to);
    },
    renameSync(from: string, to: string) {
      system.calls.push(`name ${to}`);
      fs.renameSync(from, to);
    },
  };
});

const folder = mkdtempSync(join(tmpdir(), 'bloom-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const target = join(folder, 'target');
beforeEach(() => {
  rmSync(target, { force: true });
  for (const list of Object.values(system)) list.length = 0;
});

const BYTES = new Uint8Array(Buffer.from('0123456789abcdef'));

function written(replace = true): Promise<void> {
  return writeOutput({ name: target, replace }, async (append) => {
    await append(BYTES.subarray(0, 10));
    await append(BYTES.subarray(10));
  });
}

describe('a file is synced, takes its name, and then its folder is synced', () => {
  test.each([
    ['that is new', false],
    ['that replaces another', true],
  ])('%s', async (_, replace) => {
    if (replace) writeFileSync(target, 'old');
    await written(replace);
    const steps = system.calls.filter((call) => !call.startsWith('owner'));
    expect(steps).toEqual([`sync ${statSync(target).ino}`, `name ${target}`, `sync ${statSync(folder).ino}`]);
  });
});

describe('a large file is synced', () => {
  const LARGE = new Uint8Array(2 ** 26);
  const writeLarge = () => {
    system.writes.push(...Array(5).fill('unwritten'));
    return writeOutput({ name: target, replace: true }, async (append) => {
      for (let i = 0; i < 5; i++) await append(LARGE);
    });
  };

  test('during the write, and at the end', async () => {
    await writeLarge();
    const named = system.calls.indexOf(`name ${target}`);
    expect(new Set(system.calls.slice(0, named))).toEqual(new Set([`sync ${statSync(target).ino}`]));
    expect(named).toBeGreaterThan(1);
  });

  test('and does not get its name if a sync fails', async () => {
    writeFileSync(target, 'old');
    system.syncs.push('EIO');
    await expect(writeLarge()).rejects.toMatchObject({
      code: 'output',
      message: expect.stringContaining('input/output'),
    });
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['target']);
  });
});

test.each([
  ['short', [1, 2, 3]],
  ['not taken for now', ['EAGAIN', 'EAGAIN', 4, 'EAGAIN']],
])('writes that are %s are continued', async (_, writes) => {
  system.writes.push(...writes);
  await written();
  expect(readFileSync(target)).toEqual(Buffer.from(BYTES));
  expect(system.writes).toEqual([]);
});

test('a write that fails leaves the old file, and no other', async () => {
  writeFileSync(target, 'old');
  system.writes.push(3, 'EIO');
  await expect(written()).rejects.toMatchObject({ code: 'output', message: expect.stringContaining('input/output') });
  expect(readFileSync(target, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['target']);
});

test.each(['EIO', 'EDQUOT', 'ENOSPC'])('a close that fails with %s is a failed write', async (code) => {
  writeFileSync(target, 'old');
  system.closes.push(code);
  await expect(written()).rejects.toMatchObject({ code: 'output' });
  expect(readFileSync(target, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['target']);
});

describe('a file that is replaced', () => {
  // The same users must be able to read the file after the change, whatever the umask and even if its owner changes.
  test.each(['600', '640', '604', '666', '755', '4755'])('keeps its mode, %s', async (digits) => {
    const mode = Number.parseInt(digits, 8);
    const umask = process.umask(0o077);
    try {
      writeFileSync(target, 'old');
      chmodSync(target, mode);
      await written();
    } finally {
      process.umask(umask);
    }
    expect(statSync(target).mode & 0o7777).toBe(mode);
  });

  test('keeps its owner', async () => {
    writeFileSync(target, 'old');
    const { uid, gid } = statSync(target);
    await written();
    expect(system.calls).toContain(`owner ${uid}:${gid}`);
  });

  test('is written even if only its owner may give it away', async () => {
    writeFileSync(target, 'old');
    system.owners.push('EPERM');
    system.foreign.push(target);
    await written();
    expect(readFileSync(target)).toEqual(Buffer.from(BYTES));
  });

  test('is not changed if its owner must be kept and cannot be', async () => {
    writeFileSync(target, 'old');
    system.owners.push('EPERM');
    system.foreign.push(target);
    const writing = writeOutput({ name: target, replace: true, respectsProtection: true }, (append) => append(BYTES));
    await expect(writing).rejects.toMatchObject({
      code: 'output',
      message: expect.stringContaining('change its owner or group'),
    });
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['target']);
  });

  test('is not changed if its owner cannot be kept for another reason', async () => {
    writeFileSync(target, 'old');
    system.owners.push('EIO');
    await expect(written()).rejects.toMatchObject({ code: 'output' });
    expect(readFileSync(target, 'utf8')).toBe('old');
  });
});

describe('a file that appears while the new one is written', () => {
  test('is not changed if its replacement is not allowed', async () => {
    const writing = writeOutput({ name: target, replace: false }, async (append) => {
      await append(BYTES);
      writeFileSync(target, 'another');
    });
    await expect(writing).rejects.toMatchObject({
      message: expect.stringContaining('another process has just made it'),
    });
    expect(readFileSync(target, 'utf8')).toBe('another');
    expect(readdirSync(folder)).toEqual(['target']);
  });

  test('cannot be noticed without hard links: the new file is renamed over it', async () => {
    system.links.push('EPERM');
    await written(false);
    expect(readFileSync(target)).toEqual(Buffer.from(BYTES));
    expect(readdirSync(folder)).toEqual(['target']);
  });
});

test('a file that another process has changed meanwhile is not replaced', async () => {
  writeFileSync(target, 'old');
  const output = { name: target, replace: true, unchangedSince: stateOf(target) };
  const writing = writeOutput(output, async (append) => {
    await append(BYTES);
    writeFileSync(target, 'theirs');
  });
  await expect(writing).rejects.toMatchObject({ message: expect.stringContaining('was changed by another process') });
  expect(readFileSync(target, 'utf8')).toBe('theirs');
  expect(readdirSync(folder)).toEqual(['target']);
  await writeOutput({ ...output, unchangedSince: stateOf(target) }, (append) => append(BYTES));
  expect(readFileSync(target)).toEqual(Buffer.from(BYTES));
});
