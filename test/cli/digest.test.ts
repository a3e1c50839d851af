// Digests made in advance, and the filters built from them.

import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { digestOf } from '../reference/digests.ts';
import { fixture, scratch, writeUntilRead } from './run.ts';

const { path, shell, start, within } = scratch();
const WORDS = fixture('words.txt');
const NO_RULES = { seed: 0n, ignoreCase: false, trim: false };

const digestsIn = (name: string): bigint[] => {
  const bytes = readFileSync(path(name));
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readBigUInt64LE(8 * i));
};
const linesOf = (name: string) => readFileSync(name, 'latin1').trimEnd().split('\n');
const ok = async (...args: string[]) => {
  const outcome = await within(args);
  expect(outcome).toMatchObject({ status: 0, stdout: '' });
  return outcome.stderr;
};
const refused = async (...args: string[]) => {
  const { stdout, stderr, status } = await within(args);
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr;
};

beforeAll(() => {
  shell('seq 100000 > numbers');
});

describe('digest', () => {
  test.each(sampled(HASH_NAMES))(
    'writes the digests of FORMAT.md, in the order of the records, with %s',
    async (hash) => {
      const note = await ok(
        'digest',
        '--hash',
        hash,
        '--seed',
        '7',
        '-i',
        '--trim',
        '-f',
        '2',
        '-d',
        ',',
        '-o',
        hash,
        '--force',
        keyed(),
      );
      expect(note).toMatch(`${hash}: 3 digests (24 B); 1 record has no field 2; `);
      const rules = { hash, seed: 7n, ignoreCase: true, trim: true };
      expect(digestsIn(hash)).toEqual(['b', ' Walk', ''].map((key) => digestOf(Buffer.from(key), rules)));
    },
  );

  function keyed(): string {
    writeFileSync(path('keyed'), 'a,b\nnone\nc, Walk,d\nx,');
    return 'keyed';
  }

  test('into a pipe, from one', async () => {
    shell('cat numbers | $BLOOM digest -o - | cat > piped');
    await ok('digest', 'numbers', '-o', 'filed', '--force');
    expect(readFileSync(path('piped')).equals(readFileSync(path('filed')))).toBe(true);
    expect(digestsIn('piped')[4]).toBe(digestOf(Buffer.from('5'), { hash: 'xxh64', ...NO_RULES }));
  });

  test('describes each output in JSON', async () => {
    const { stdout } = await within([
      'digest',
      '--json',
      '--parts',
      '2',
      '-m',
      '10M',
      '--seed',
      '0xffffffffffffffff',
      'numbers',
      '-o',
      'j%d',
    ]);
    const [first, second] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toEqual({
      file: 'j1',
      hash: 'xxh64',
      seed: '18446744073709551615',
      ignoreCase: false,
      trim: false,
      keyHash: null,
      part: 1,
      parts: 2,
      keys: digestsIn('j1').length,
    });
    expect(first.keys + second.keys).toBe(100_000);
  });

  test('an output is written completely or not at all', async () => {
    writeFileSync(path('kept'), 'old');
    expect(await refused('digest', 'numbers', '-o', 'kept')).toContain('kept exists already');
    expect(await within(['digest', 'numbers', 'nowhere', '-o', 'kept', '--force'])).toMatchObject({ status: 2 });
    expect(readFileSync(path('kept'), 'latin1')).toBe('old');
    const { stderr, status } = await within(['digest', 'numbers', 'nowhere', '-o', 'lacking']);
    expect(status).toBe(2);
    expect(stderr).toContain('lacking lacks the keys of 1 input that could not be read');
    expect(digestsIn('lacking')).toHaveLength(100_000);
    expect(await refused('digest', '--parts', '2', '-m', '10M', 'numbers', '-o', 'no/where%d')).toContain(
      'there is no folder no',
    );
    expect(shell('$BLOOM digest numbers -o - > /dev/full').stderr).toContain(
      'cannot write standard output: no space left',
    );
    expect(shell('$BLOOM digest numbers -o - | head -c 8 | wc -c; exit $PIPESTATUS')).toMatchObject({
      stdout: '8\n',
      status: 2,
    });
  });
});

test('a signal leaves no temporary file of several outputs, and replaces no output', async () => {
  const child = start(['digest', '--parts', '10', '-m', '40M', '-o', 'signalled-%d']);
  const exited = once(child, 'exit');
  await writeUntilRead(child, 'a record\n');
  // By then all outputs are open and wait for more.
  expect(readdirSync(path('.')).filter((name) => /signalled.*\.tmp$/.test(name))).toHaveLength(10);
  child.kill('SIGTERM');
  expect((await exited)[1]).toBe('SIGTERM');
  expect(readdirSync(path('.')).filter((name) => name.includes('signalled'))).toEqual([]);
});

describe('parts', () => {
  /** 40 million bits make ten segments, which seven parts share unequally. */
  const SEGMENTS = 10;

  test.each(inLongRuns([1, 3, 7, 10], [7]))(
    '%d of them are divided as the segments of the filter are',
    async (parts) => {
      await ok('digest', '--parts', `${parts}`, '-m', '40M', WORDS, '-o', `part${parts}-%02d`);
      const all = linesOf(WORDS).map((line) => digestOf(Buffer.from(line, 'latin1'), { hash: 'xxh64', ...NO_RULES }));
      for (let part = 1; part <= parts; part++) {
        const [first, end] = [part - 1, part].map((k) => BigInt(Math.floor((k * SEGMENTS) / parts)));
        const own = all.filter((digest) => {
          const segment = ((digest >> 32n) * BigInt(SEGMENTS)) >> 32n;
          return segment >= (first ?? 0n) && segment < (end ?? 0n);
        });
        expect(own.length).toBeGreaterThan(0);
        expect(digestsIn(`part${parts}-${String(part).padStart(2, '0')}`)).toEqual(own);
      }
    },
  );

  test('are the parts of the filter, and keys of other parts are reported', async () => {
    await ok('digest', '--parts', '3', '-n', '3M', 'numbers', '-o', 'of-%d');
    for (const part of ['1', '2', '3']) {
      const note = await ok(
        'build',
        '--part',
        `${part}/3`,
        '-n',
        '3M',
        '--digests',
        `of-${part}`,
        '-o',
        `of-${part}.bloom`,
      );
      expect(note).not.toContain('other parts');
    }
    await ok('merge', 'of-1.bloom', 'of-2.bloom', 'of-3.bloom', '-o', 'of.bloom');
    await ok('build', '-n', '3M', 'numbers', '-o', 'numbers-3.bloom');
    expect(readFileSync(path('of.bloom')).equals(readFileSync(path('numbers-3.bloom')))).toBe(true);
    const wrong = await ok('build', '--part', '1/3', '-n', '3M', '--digests', 'of-1', 'of-2', '-o', 'wrong.bloom');
    expect(wrong).toContain(`${digestsIn('of-2').length.toLocaleString('en')} digests are of other parts`);
    await ok('build', '--passes', '3', '-n', '3M', '--digests', 'of-3', 'of-2', 'of-1', '-o', 'passes.bloom');
    expect(readFileSync(path('passes.bloom')).equals(readFileSync(path('of.bloom')))).toBe(true);
  });

  test('of another part alone are refused', async () => {
    const args = ['build', '--part', '1/3', '-n', '3M', '--digests', 'of-2', '-o', 'never.bloom'];
    const { stderr, status } = await within(args);
    const digests = digestsIn('of-2').length.toLocaleString('en');
    expect(stderr).toBe(
      `bloom: nothing was written: none of the ${digests} digests belongs to part 1 of 3; give each part its own output of bloom digest --parts, with the same flags of the size\n`,
    );
    expect(status).toBe(2);
  });

  test('one digest of another part is reported in the singular', async () => {
    writeFileSync(path('one'), 'x\n');
    await ok('digest', '--parts', '2', '-n', '3M', 'one', '-o', 'one-%d');
    const its = digestsIn('one-1').length === 1 ? 1 : 2;
    const wrong = await ok(
      ...['build', '--part', `${3 - its}/2`, '-n', '3M', '--digests', `one-${its}`, '-o', 'one.bloom'],
    );
    expect(wrong).toContain('1 digest is of other parts: give it to those parts too');
  });

  test('together they make the filter', async () => {
    await ok('digest', '--parts', '4', '-n', '5M', 'numbers', '-o', 'p-%d');
    await ok('build', '-n', '5M', 'numbers', '-o', 'direct.bloom');
    shell('cat p-3 p-1 p-4 p-2 | $BLOOM build --digests --like direct.bloom -o together.bloom');
    expect(readFileSync(path('together.bloom')).equals(readFileSync(path('direct.bloom')))).toBe(true);
  });

  test.runIf(IS_LONG)('may be too many for recursion', async () => {
    const note = await ok(
      'digest',
      '--parts',
      '2000',
      '-m',
      '400M',
      '--segment-size',
      '16KiB',
      'numbers',
      '-o',
      'of-many-%d',
    );
    expect(note).toContain('2,000 files: 100,000 digests');
  });

  test('need a size, a number in the name, and a segment each', async () => {
    expect(await refused('digest', '--parts', '2', 'numbers', '-o', 'x%d')).toContain(
      '--parts needs the size of the filter; state -n',
    );
    expect(await refused('digest', '--parts', '2', '-m', '40M', 'numbers', '-o', '%d%d')).toContain('must contain %d');
    expect(await refused('digest', '--parts', '11', '-m', '40M', 'numbers', '-o', 'x%d')).toContain(
      '11 parts of a filter of 10 segments',
    );
    if (!IS_LONG) return;
    expect(await refused('digest', '--parts', '2', '-m', '40M', 'numbers', '-o', 'x')).toContain(
      'must contain %d once, because there are',
    );
    expect(await refused('digest', '--parts', '2', '--kind', 'scalable', '-n', '9M', 'numbers', '-o', 'x%d')).toContain(
      'grows',
    );
    expect(await refused('digest', '-n', '9M', 'numbers', '-o', 'x')).toContain(
      '--items has no effect: without --parts',
    );
    expect(await refused('digest', '--seed', 'random', 'numbers', '-o', 'x')).toContain('state a number');
  });
});

describe('build --digests makes the filter that the records make', () => {
  const sameFilter = async (kind: string, hash: string) => {
    if (!existsSync(path(`${hash}.digests`))) await ok('digest', '--hash', hash, '-i', WORDS, '-o', `${hash}.digests`);
    const flags = ['--kind', kind, '--hash', hash, '-i', '--force'];
    await ok('build', ...flags, WORDS, '-o', 'records.bloom');
    await ok('build', ...flags, '--digests', `${hash}.digests`, '-o', 'digests.bloom');
    expect(readFileSync(path('digests.bloom')).equals(readFileSync(path('records.bloom')))).toBe(true);
  };

  for (const kind of sampled(KINDS))
    test(`of kind ${kind.name}`, async () => await sameFilter(kind.name, HASH_NAMES[0] ?? ''));
  for (const hash of sampled(HASH_NAMES).slice(1))
    test(`with ${hash}`, async () => {
      for (const kind of inLongRuns<readonly { name: string }[]>(KINDS, KINDS.slice(0, 1)))
        await sameFilter(kind.name, hash);
    });

  test('from a pipe in pieces, with the size that follows from them', async () => {
    await ok('digest', 'numbers', '-o', 'whole', '--force');
    await ok('build', 'numbers', '-o', 'numbers.bloom');
    shell('(head -c 12345 whole; tail -c +12346 whole) | $BLOOM build --digests -o pieces.bloom');
    expect(readFileSync(path('pieces.bloom')).equals(readFileSync(path('numbers.bloom')))).toBe(true);
  });

  test('and from slices, which are cut between digests', async () => {
    for (const slice of ['1/2', '2/2']) await ok('digest', '--slice', slice, 'numbers', '-o', `slice-${slice[0]}`);
    shell('cat slice-? > sliced; $BLOOM build -n 100k numbers -o unsliced.bloom');
    expect(readFileSync(path('sliced')).equals(readFileSync(path('whole')))).toBe(true);
    const flags = ['-n', '100k', '--digests', 'slice-1', 'slice-2'];
    for (const slice of ['1/3', '2/3', '3/3']) await ok('build', ...flags, '--slice', slice, '-o', `${slice[0]}.bloom`);
    await ok('merge', '1.bloom', '2.bloom', '3.bloom', '-o', 'merged.bloom');
    expect(readFileSync(path('merged.bloom')).equals(readFileSync(path('unsliced.bloom')))).toBe(true);
  });

  test.runIf(IS_LONG)('with any number of threads', async () => {
    shell('seq -f %0999.0f 36000 > many; for i in $(seq 47); do cat whole; done > digests');
    const parts = ['-m', '40M', '--parts', '3'];
    const flags = ['-n', '5M', '--force'];
    const inputs = ['numbers', 'many', 'numbers'];
    const all = Buffer.concat(inputs.map((name) => readFileSync(path(name))));
    const byThreads = async (args: string[], stdin?: Buffer) =>
      expect(await within(args, { chunk: 99_999, ...(stdin && { stdin, isPiped: true }) })).toMatchObject({
        status: 0,
      });
    await ok('digest', '--threads', '1', ...parts, ...inputs, '-o', 'alone-%d');
    await ok('build', ...flags, '--threads', '1', '--digests', 'digests', '-o', 'alone.bloom');
    const alone = readFileSync(path('alone.bloom'));
    await ok('build', ...flags, 'numbers', '-o', 'numbers.bloom');
    // Only the header, by its number of keys, and the last checksum, which depends on the header, may differ.
    expect(alone.subarray(128, -8).equals(readFileSync(path('numbers.bloom')).subarray(128, -8))).toBe(true);
    for (const threads of ['2', '3', '8']) {
      await byThreads(['digest', '--threads', threads, ...parts, ...inputs, '-o', 'm-%d', '--force']);
      await byThreads(['digest', '--threads', threads, ...parts, '-o', 'n-%d', '--force'], all);
      for (const part of [1, 2, 3]) {
        const digests = readFileSync(path(`alone-${part}`));
        expect(digests.length).toBeGreaterThan(0);
        for (const name of ['m', 'n']) expect(readFileSync(path(`${name}-${part}`)).equals(digests)).toBe(true);
      }
      const build = ['build', ...flags, '--threads', threads, '--digests', '-o', 'threads.bloom'];
      await byThreads([...build, 'digests']);
      expect(readFileSync(path('threads.bloom')).equals(alone)).toBe(true);
      await byThreads(build, readFileSync(path('digests')));
      expect(readFileSync(path('threads.bloom')).equals(alone)).toBe(true);
    }
  });

  test('refuses bytes that are not digests, and flags about records', async () => {
    writeFileSync(path('cut'), Buffer.alloc(20));
    expect((await within(['build', '--digests', 'cut', '-o', 'x.bloom'])).stderr).toContain(
      'cannot read cut: its size is not a multiple of 8, the bytes of a digest',
    );
    expect(shell('head -c 20 numbers | $BLOOM build --digests -n 10 -o broken.bloom').stderr).toContain(
      'cannot read standard input: its size is not a multiple of 8',
    );
    // An incomplete digest at the end of an input does not continue in the next input.
    shell('head -c 20 whole | $BLOOM build -n 100k --digests - whole -o behind.bloom');
    expect((await within(['query', '-v', '-c', 'behind.bloom', 'numbers'])).stdout).toBe('0\n');
    for (const flags of sampled([['-f', '1'], ['-0'], ['--raw']]))
      expect(await refused('build', '--digests', ...flags, 'cut', '-o', 'x.bloom')).toContain(
        'digests have no records',
      );
    expect(await refused('build', '--digests', '--format', 'guava', '-n', '9', 'cut', '-o', 'x')).toContain(
      'build it from the records',
    );
  });
});
