// Compressed records, made by the programs that people use.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createGzip, gzipSync, constants as zlib } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, start, within } = scratch();
const WORDS = readFileSync(fixture('words.txt'));
const COUNT = '5130\n';

/** Compresses with the program of this name; undefined if it is missing. */
function compressedBy(program: string, bytes: Buffer): Buffer | undefined {
  const { status, stdout } = spawnSync(program, ['-c'], { input: bytes, maxBuffer: 2 ** 26 });
  return status === 0 ? stdout : undefined;
}

beforeAll(async () => {
  await within(['build', fixture('words.txt'), '-o', 'words.bloom']);
});

describe.each(['gzip', 'zstd', ...inLongRuns(['xz', 'bzip2', 'lz4'], [])])('%s', (program) => {
  const bytes = program === 'gzip' ? gzipSync(WORDS) : compressedBy(program, WORDS);
  const file = `words.${program}`;
  if (bytes === undefined) {
    test.skip(`there is no ${program} here`);
    return;
  }
  beforeAll(() => writeFileSync(path(file), bytes));

  test('is decompressed, from files, pipes and standard input', async () => {
    expect((await within(['build', file, '-o', 'again.bloom', '--force'])).status).toBe(0);
    expect(readFileSync(path('again.bloom')).equals(readFileSync(path('words.bloom')))).toBe(true);
    expect(await within(['query', '-c', 'words.bloom', file, file])).toMatchObject({
      stdout: '10260\n',
      stderr: '',
      status: 0,
    });
    expect(await within(['query', '-c', 'words.bloom'], { stdin: bytes })).toMatchObject({ stdout: COUNT, stderr: '' });
    if (IS_LONG) expect(shell(`$BLOOM query -c words.bloom < ${file}`).stdout).toBe(COUNT);
    expect(shell(`$BLOOM query -vc words.bloom <(cat ${file})`)).toMatchObject({
      stdout: '0\n',
      stderr: '',
      status: 1,
    });
  });

  test('is read with all of its parts', async () => {
    expect((await within(['query', '-c', 'words.bloom'], { stdin: Buffer.concat([bytes, bytes]) })).stdout).toBe(
      '10260\n',
    );
  });

  test('is unreadable if it is cut off or corrupt', async () => {
    const corrupt = Buffer.from(bytes);
    const half = bytes.length >> 1;
    corrupt.fill(0x55, half, half + 20);
    writeFileSync(path('corrupt'), corrupt);
    writeFileSync(path('cut'), bytes.subarray(0, -20));
    writeFileSync(path('followed'), Buffer.concat([bytes, Buffer.from('more of something else')]));
    // bzip2 skips what follows its end, with a warning.
    for (const name of ['corrupt', ...inLongRuns(['cut'], []), ...(program === 'bzip2' ? [] : ['followed'])]) {
      const { stderr, status } = await within(['build', name, '-o', `${name}.bloom`]);
      expect(stderr).toMatch(
        new RegExp(`^bloom: cannot read ${name} to its end: as ${program} it is cut off or corrupt \\(.`),
      );
      expect(stderr).toContain('nothing was written: 1 input could not be read');
      expect(status).toBe(2);
    }
    // The command reads the other files anyway.
    if (IS_LONG) expect((await within(['query', '-c', 'words.bloom', 'corrupt', fixture('words.txt')])).status).toBe(2);
    expect(
      Number((await within(['query', '-c', 'words.bloom', 'cut', fixture('words.txt')])).stdout),
    ).toBeGreaterThanOrEqual(5130);
  });
});

describe('gzip, by Node', () => {
  test('may be followed by NULs, as on tapes, and by nothing else', async () => {
    const padded = Buffer.concat([gzipSync(WORDS), Buffer.alloc(200_000)]);
    expect(await within(['query', '-c', 'words.bloom'], { stdin: padded })).toMatchObject({
      stdout: COUNT,
      stderr: '',
      status: 0,
    });
    for (const [after, end] of [
      [padded, 'x'],
      [padded.subarray(0, gzipSync(WORDS).length + 7), 'x'],
    ] as const) {
      const { stderr, status } = await within(['query', '-c', 'words.bloom'], {
        stdin: Buffer.concat([after, Buffer.from(end)]),
      });
      expect(stderr).toContain('it has other data after its end');
      expect(status).toBe(2);
    }
  });

  test.runIf(IS_LONG)('is read twice if a filter is sized from more keys than are kept', () => {
    const { stdout } = shell(
      'seq 1200000 > many; gzip -1 < many > many.gz; $BLOOM build many -o plain.bloom; $BLOOM build many.gz -o packed.bloom; cmp plain.bloom packed.bloom && echo same',
    );
    expect(stdout).toBe('same\n');
  });

  test('is answered as it arrives', async () => {
    const query = start(['query', 'words.bloom']);
    const packed = createGzip();
    if (query.stdin === null || query.stdout === null) throw new Error('no pipes');
    packed.pipe(query.stdin);
    for (const word of ['walk', 'walks']) {
      packed.write(`${word}\n`);
      packed.flush(zlib.Z_SYNC_FLUSH);
      const [answer] = await once(query.stdout, 'data');
      expect(String(answer)).toBe(`${word}\n`);
    }
    packed.end();
    expect(await once(query, 'close')).toEqual([0, null]);
  });

  test('may contain records with a byte order mark, but not UTF-16, a filter or gzip', async () => {
    const asked = async (bytes: Buffer) => await within(['query', 'words.bloom'], { stdin: gzipSync(bytes) });
    expect((await asked(Buffer.from('\uFEFFwalk\nwalk\n'))).stdout).toBe('walk\nwalk\n');
    expect((await asked(Buffer.from('\uFEFFwalk\n', 'utf16le'))).stderr).toContain('it seems to be UTF-16');
    expect((await asked(readFileSync(path('words.bloom')))).stderr).toContain('standard input is a filter of bloom');
    expect((await asked(gzipSync(WORDS))).stderr).toContain('it is compressed twice; decompress it once');
  });

  test('is recognised only by all of its first bytes', async () => {
    const lines = ['\x1f\x8b\n', 'BZh91AY&S\n', '\xfd7zXZ\n', '\x28\xb5\x2f\n', '\x04"M\n', '\x1f'];
    for (const [i, line] of lines.entries()) writeFileSync(path(`line${i}`), line, 'latin1');
    const files = lines.map((_, i) => `line${i}`);
    expect(await within(['query', '-v', '-c', '-H', 'words.bloom', ...files])).toEqual({
      stdout: files.map((file) => `${file}:1\n`).join(''),
      stderr: '',
      status: 0,
    });
  });

  test('is read unchanged with --raw', async () => {
    const packed = gzipSync(WORDS);
    writeFileSync(path('raw.gz'), packed);
    const { stderr } = await within(['build', '--raw', 'raw.gz', '-o', 'raw.bloom']);
    const lines = packed.filter((byte) => byte === 10).length + 1;
    expect(stderr).toContain(`raw.bloom: ${lines} keys`);
  });
});

describe('programs', () => {
  test('are named if they are missing', async () => {
    mkdirSync(path('bin'));
    symlinkSync(process.execPath, path('bin/node'));
    writeFileSync(path('some.xz'), Buffer.from('\xfd7zXZ\0...', 'latin1'));
    const { stderr, status } = await within(['query', 'words.bloom', 'some.xz'], { env: { PATH: path('bin') } });
    expect(stderr).toBe(
      'bloom: cannot read some.xz, which is compressed with xz: there is no program xz; install xz, or pipe the decompressed records in\n',
    );
    expect(status).toBe(2);
  });

  const withProgram = (script: string) => {
    writeFileSync(path('bin/xz'), `#!/bin/sh\n${script}\n`);
    chmodSync(path('bin/xz'), 0o755);
    return { env: { PATH: `${path('bin')}:/bin:/usr/bin` } };
  };

  test('may print messages besides the decoded bytes', async () => {
    const options = withProgram('cat > given; echo "100 %" >&2; echo walk');
    const expected = { stdout: 'walk\n', stderr: '', status: 0 };
    expect(await within(['query', 'words.bloom', 'some.xz'], options)).toEqual(expected);
    expect(readFileSync(path('given')).equals(readFileSync(path('some.xz')))).toBe(true);
  });

  test('fail if they are not decoders', async () => {
    const options = withProgram('cat > given; echo walk; echo "no more" >&2; exit 3');
    const { stdout, stderr, status } = await within(['query', 'words.bloom', 'some.xz'], options);
    expect([stdout, status]).toEqual(['walk\n', 2]);
    expect(stderr).toContain('it is cut off or corrupt (no more)');
    const silent = await within(['query', 'words.bloom', 'some.xz'], withProgram('cat > given; exit 3'));
    expect(silent.stderr).toContain('(xz ended with status 3, without a message)');
  });

  test('are ended if no more of their output is needed', () => {
    const options = withProgram('echo $$ > pid; exec yes walk');
    expect(bloom(['query', '-q', 'words.bloom', 'some.xz'], options)).toEqual({
      stdout: '',
      stderr: '',
      status: 0,
    });
    const pid = Number(readFileSync(path('pid'), 'utf8'));
    // The command waits for the end of the other process before it ends itself.
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
