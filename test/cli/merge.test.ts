import { existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  shell(`head -n 3000 ${WORDS} > head; tail -n 3000 ${WORDS} > tail; cat head tail > both`);
  for (const name of ['head', 'tail', 'both'])
    await within(['build', '-n', '6000', '-p', '1%', name, '-o', `${name}.bloom`]);
});

describe('merge', () => {
  test('makes the filter of the union', async () => {
    const { stderr, status } = await within(['merge', 'head.bloom', 'tail.bloom', '-o', 'merged.bloom']);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^merged\.bloom: holds 2 filters, 6,000 keys \(about 5\.\d+k distinct\)/);
    expect(readFileSync(path('merged.bloom')).equals(readFileSync(path('both.bloom')))).toBe(true);
  });

  test('with --strict, a union of more keys than its capacity is an error and nothing is written', async () => {
    const built = ['build', '-n', '3500', '-p', '1%', '-q'];
    for (const name of ['head', 'tail']) await within([...built, name, '-o', `${name}-small.bloom`]);
    const small = ['head-small.bloom', 'tail-small.bloom'];
    const { stderr, status } = await within(['merge', '--strict', ...small, '-o', 'strict.bloom']);
    expect(stderr).toMatch(/^bloom: nothing was written: strict\.bloom was sized for 3,500 keys and has about 5/);
    expect([status, existsSync(path('strict.bloom'))]).toEqual([2, false]);
    expect((await within(['merge', '--strict', '--dry-run', ...small])).status).toBe(2);
    expect((await within(['merge', ...small, '-o', 'strict.bloom'])).status).toBe(0);
    const dcso = ['build', '--format', 'dcso', '-n', '3500', '-q'];
    for (const name of ['head', 'tail']) await within([...dcso, name, '-o', `${name}.dcso`]);
    const arrays = await within(['merge', '--strict', 'head.dcso', 'tail.dcso', '-o', 'strict.dcso']);
    expect([arrays.status, existsSync(path('strict.dcso'))]).toEqual([2, false]);
    expect((await within(['merge', '--strict', 'head.bloom', 'tail.bloom', '-o', 'enough.bloom'])).status).toBe(0);
  });

  test('merges many filters, also from and into pipes', () => {
    const files = '<(cat head.bloom) tail.bloom both.bloom head.bloom';
    const piped = shell(`$BLOOM merge ${files} -o - 2>/dev/null | $BLOOM query - -v -c ${WORDS}`);
    expect(piped.stdout).toBe('0\n');
  });

  describe.runIf(IS_LONG)('merges more files than a process may open', () => {
    const COUNT = 100;
    const NAMES = Array.from({ length: COUNT }, (_, i) => `many/${i}`);
    const merging = (line: string) => shell(`ulimit -n 64; $BLOOM merge ${line} -o many.bloom --force`);
    /** Bits of a filter of two segments. */
    const payloadOf = (name: string) => readFileSync(path(name)).subarray(128, -40);

    beforeAll(async () => {
      for (const name of ['head', 'tail', 'both'])
        await within(['build', '-n', '500k', '-p', '1%', name, '-o', `${name}2.bloom`]);
      shell('mkdir many; cp tail2.bloom many/tail');
      for (const name of NAMES) linkSync(path('head2.bloom'), path(name));
    });

    test('has the keys of all filters, from the first pipe to the last file', () => {
      const { stderr, status } = merging(`<(cat head2.bloom) ${NAMES.join(' ')} many/tail`);
      expect(stderr).toContain(
        `many.bloom: holds ${COUNT + 2} filters, ${(3000 * (COUNT + 2)).toLocaleString('en')} keys`,
      );
      expect(status).toBe(0);
      expect(Buffer.compare(payloadOf('many.bloom'), payloadOf('both2.bloom'))).toBe(0);
      // The result is the same for as many files as can stay open.
      expect(merging(`${NAMES.slice(0, 31).join(' ')} many/tail`).status).toBe(0);
      expect(Buffer.compare(payloadOf('many.bloom'), payloadOf('both2.bloom'))).toBe(0);
    });

    test.each([200, 400_000, -5])('finds damage in the last file, at byte %d', (at) => {
      const bytes = readFileSync(path('tail2.bloom'));
      const index = (bytes.length + at) % bytes.length;
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      writeFileSync(path('many/damaged'), bytes);
      shell('rm -f many.bloom');
      const { stderr, status } = merging(`${NAMES.join(' ')} many/damaged`);
      expect(stderr).toMatch(/^bloom: many\/damaged is damaged: /);
      expect(status).toBe(2);
      expect(shell('ls many.bloom').status).not.toBe(0);
    });

    test('and that are pipes reads one after the other or, of kinds that are united segment by segment, says what to do', async () => {
      // Each pipe is open twice: in the shell, and in bloom.
      const pipesOf = (name: string) => `<(cat ${name}) `.repeat(30);
      expect(merging(pipesOf('head2.bloom')).status).toBe(0);
      await within(['build', '--kind', 'cuckoo', '-n', '6000', 'head', '-o', 'cuckoo.bloom']);
      expect(merging(pipesOf('cuckoo.bloom'))).toMatchObject({
        stderr: expect.stringMatching(
          /^bloom: cannot read \S+: too many open files; allow more open files with ulimit -n\n/,
        ),
        status: 2,
      });
    });
  });

  test('refuses a filter of another system with bytes after its end, also from a pipe', async () => {
    await within(['build', '-n', '100', '--format', 'bits-and-blooms', '-o', 'go.filter'], { stdin: 'a\n' });
    const stdin = Buffer.concat([readFileSync(path('go.filter')), Buffer.alloc(1)]);
    const { stderr, status } = await within(['merge', '-', 'go.filter', '-o', 'go-2.filter'], { stdin, isPiped: true });
    expect(stderr).toContain('it has more bytes after its end');
    expect(status).toBe(2);
    expect(existsSync(path('go-2.filter'))).toBe(false);
  });

  test('--dry-run states whether filters fit together', async () => {
    const { stderr, status } = await within(['merge', '--dry-run', 'head.bloom', 'tail.bloom']);
    expect(status).toBe(0);
    expect(stderr).toContain('would hold 2 filters');
  });

  test('lists every difference and its remedy', async () => {
    await within(['build', '-n', '9000', '-p', '2%', '--seed', '3', '-i', 'head', '-o', 'other.bloom']);
    const { stderr, status } = await within(['merge', 'head.bloom', 'other.bloom', '-o', 'x.bloom']);
    expect(status).toBe(2);
    for (const field of ['bits', 'hashes', 'seed', 'ignore-case']) expect(stderr).toContain(`${field} is `);
    expect(stderr).toContain('--like head.bloom');
    expect((await within(['merge', '--dry-run', 'head.bloom', 'other.bloom'])).status).toBe(2);
  });

  test.each([
    ['tightening', '0.85', '0.5', '--kind scalable -m 100k', '--tightening 0.5'],
    ['growth', '2', '4', '--kind scalable -m 100k', '--growth 4'],
    ['rate', '0.01', '0.02', '--kind scalable -m 100k', '-p 2%'],
    ['trim', 'no', 'yes', '-n 6000', '--trim'],
    ['ignore-case', 'no', 'yes', '-n 6000', '-i'],
    ['seed', '0', '7', '-n 6000', '--seed 7'],
    ['hash', 'xxh64', 'xxh3', '-n 6000', '--hash xxh3'],
  ])('refuses filters that differ only in their %s', async (field, one, two, flags, more) => {
    await within(`build --force ${flags} head -o one.bloom`.split(' '));
    await within(`build --force ${flags} ${more} head -o two.bloom`.split(' '));
    expect(await within(['merge', '--force', 'one.bloom', 'two.bloom', '-o', 'x.bloom'])).toMatchObject({
      stderr: `bloom: the filters do not fit together: ${field} is ${two} in two.bloom, ${one} in one.bloom; build them with the same -n and -p, or with --like one.bloom\n`,
      status: 2,
    });
  });

  test.each(inLongRuns(['bloom', 'quotient', 'scalable'], ['quotient']))(
    'does not change a segment while it is written: %s',
    async (kind) => {
      // A slow disk.
      writeFileSync(
        path('late.cjs'),
        `const fs = require('node:fs');
      const { write } = fs;
      fs.write = (...args) => setImmediate(() => setImmediate(() => write(...args)));`,
      );
      shell('seq 200000 > low; seq 200001 400000 > high');
      const size = kind === 'scalable' ? [] : ['-n', '900k'];
      for (const part of ['low', 'high'])
        await within(['build', '--force', '--kind', kind, ...size, part, '-o', `${part}.bloom`]);
      const merged = 'merge --force low.bloom high.bloom -o late.bloom';
      expect(shell(`NODE_OPTIONS=--require=./late.cjs $BLOOM ${merged}`).status).toBe(0);
      const { stdout } = await within(['stats', '--probes', '1k', '--verify', '--json', 'late.bloom']);
      expect(JSON.parse(stdout)).toMatchObject({ verified: true });
      expect(JSON.parse(stdout).segments).toBeGreaterThan(2);
      expect((await within(['query', '-v', '-c', 'late.bloom', 'low', 'high'])).stdout).toBe('0\n');
    },
  );

  test('compares only the common fields of two kinds', async () => {
    await within(['build', '--kind', 'scalable', 'head', '-o', 'scalable.bloom']);
    expect((await within(['merge', 'head.bloom', 'scalable.bloom', '-o', 'x.bloom'])).stderr).toBe(
      'bloom: the filters do not fit together: kind is scalable in scalable.bloom, bloom in head.bloom; build them with the same -n and -p, or with --like head.bloom\n',
    );
  });

  test('warns when the union is overfull', async () => {
    await within(['build', '-n', '3000', 'head', '-o', 'h.bloom']);
    await within(['build', '-n', '3000', 'tail', '-o', 't.bloom']);
    const { stderr, status } = await within(['merge', 'h.bloom', 't.bloom', '-o', 'overfull.bloom']);
    expect(status).toBe(0);
    expect(stderr).toContain('warning: overfull.bloom was sized for 3,000 keys and has about 5.');
  });

  test('writes the same JSON as build', async () => {
    const { stdout } = await within(['merge', '--json', '--force', 'head.bloom', 'tail.bloom', '-o', 'merged.bloom']);
    expect(JSON.parse(stdout)).toMatchObject({
      file: 'merged.bloom',
      kind: 'bloom',
      capacity: 6000,
      hashes: 7,
      targetFpr: 0.01,
      inserted: 6000,
    });
  });

  test('refuses an output that is an input', async () => {
    expect(await within(['merge', 'head.bloom', 'tail.bloom', '--force', '-o', 'tail.bloom'])).toMatchObject({
      status: 2,
      stderr:
        'bloom: tail.bloom is both an input and the output; write to another file, and rename it with mv afterwards\n',
    });
  });
});
