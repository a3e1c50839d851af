// What slices and parts record about their inputs, and what a merge reports as missing or foreign.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const SIZED = ['-n', '1M', '-p', '0.001%'];

const bytesOf = (name: string) => readFileSync(path(name));
const viewOf = (name: string) => new DataView(Uint8Array.from(bytesOf(name)).buffer);

/** The flag and the fields of an origin, by FORMAT.md. */
function originIn(name: string) {
  const view = viewOf(name);
  if ((view.getUint32(16, true) & 32) === 0) return undefined;
  return { slice: view.getUint32(104, true), slices: view.getUint32(108, true), inputs: view.getBigUint64(112, true) };
}

async function build(output: string, ...args: string[]): Promise<void> {
  expect((await within(['build', '-q', ...SIZED, ...args, '-o', output])).status).toBe(0);
}

async function merge(...args: string[]) {
  const { stderr, status } = await within(['merge', '--force', ...args, '-o', 'merged']);
  return { stderr, status };
}

beforeAll(async () => {
  shell(`cp ${WORDS} words; head -n 5000 words > fewer; mkdir copy; cp words copy`);
  await build('whole', 'words');
  for (const k of [1, 2, 3, 4]) await build(`slice${k}`, '--slice', `${k}/4`, 'words');
  for (const k of [1, 2, 3]) await build(`part${k}`, '--part', `${k}/3`, 'words');
});

describe('an origin', () => {
  test('states the slice, and a fingerprint that is the same for all slices and parts of the same files', async () => {
    const { inputs } = originIn('slice1') ?? {};
    for (const slice of [1, 2, 3, 4]) expect(originIn(`slice${slice}`)).toEqual({ slice, slices: 4, inputs });
    expect(originIn('part2')).toEqual({ slice: 1, slices: 1, inputs });
    expect(originIn('whole')).toBeUndefined();
    const { stdout } = await within(['stats', 'slice3', '--json', '--probes', '0']);
    const hexadecimal = inputs?.toString(16).padStart(16, '0');
    expect(JSON.parse(stdout)).toMatchObject({ slice: '3/4', inputs: hexadecimal });
    expect((await within(['stats', 'slice3', '--probes', '0'])).stdout).toContain(
      `inputs          slice 3 of 4, fingerprint ${hexadecimal}\n`,
    );
    expect((await within(['stats', 'part1', '--json', '--probes', '0'])).stdout).toContain('"slice":null');
  });

  test('does not depend on folders, but on names, sizes, order and keys', async () => {
    const of = async (...args: string[]) => {
      await build('other', '--force', '--part', '1/3', ...args);
      return originIn('other')?.inputs;
    };
    const all = originIn('part1')?.inputs;
    expect(await of('copy/words')).toBe(all);
    shell(
      'cp words renamed; mkdir start end; sed "1s/^./~/" words > start/words; sed "\\$s/.$/~/" words > end/words; seq -f %040.0f 1 99 > digests',
    );
    const others = [
      ['renamed'],
      ['fewer'],
      ['fewer', 'words'],
      ['words', 'fewer'],
      ['-f', '1', 'words'],
      ['--skip-empty', 'words'],
      // The same name and size, with another first or last byte.
      ['start/words'],
      ['end/words'],
      ['digests'],
      ['--key-hash', 'sha1', 'digests'],
      ['--key-hash', 'sha1', '--hashed', 'digests'],
    ];
    const fingerprints = [
      all,
      ...(await others.reduce<Promise<(bigint | undefined)[]>>(
        async (before, args) => [...(await before), await of(...args)],
        Promise.resolve([]),
      )),
    ];
    expect(new Set(fingerprints).size).toBe(others.length + 1);
  });

  test('is not stated by filters of all records, of a pipe, that grow or that are of another system', async () => {
    shell('cat words | $BLOOM build -q -n 1M -p 0.001% --part 1/3 -o piped');
    await build('grows', '--kind', 'scalable', '--slice', '1/2', 'words');
    for (const name of ['piped', 'grows']) expect(originIn(name)).toBeUndefined();
    await build('guava', '--format', 'guava', '--slice', '1/2', 'words');
    expect((await within(['stats', 'guava', '--json', '--probes', '0'])).stdout).toContain('"slice":null');
  });
});

describe('a merge of slices', () => {
  test('is the filter of one build', async () => {
    expect(await merge('slice4', 'slice2', 'slice1', 'slice3')).toMatchObject({ status: 0 });
    expect(bytesOf('merged').equals(bytesOf('whole'))).toBe(true);
    expect(shell('cat slice[1-4] | $BLOOM merge -q - -o - | cmp - whole').status).toBe(0);
  });

  test.each([
    [['slice1', 'slice4'], 'some of the 4 slices of the inputs are missing: 2 to 3; name the filters of all slices'],
    [['slice1', 'slice2', 'slice4'], 'some of the 4 slices of the inputs are missing: 3; '],
    [
      ['slice1', 'slice2', 'slice3', 'slice4', 'slice2'],
      'slice2 and slice2 were built of the same inputs, slice 2 of 4; leave one of them out, or add --partial',
    ],
    [
      ['slice1', 'slice2', 'slice3', 'stale'],
      'stale was built of other inputs than slice1; build it of the same files',
    ],
    [['slice1', 'slice2', 'slice3', 'slice4', 'of5'], 'of5 was built of other inputs than slice1'],
  ])('is refused: %j', async (files, message) => {
    await build('stale', '--force', '--slice', '4/4', 'fewer');
    await build('of5', '--force', '--slice', '4/5', 'words');
    const { stderr, status } = await merge(...files);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
    expect(await merge('--partial', ...files)).toMatchObject({ status: 0 });
    expect(originIn('merged')).toBeUndefined();
    expect((await within(['merge', '--dry-run', ...files])).stderr).toContain(message);
  });

  test('accepts filters without an origin, and all slices of other inputs', async () => {
    for (const k of [1, 2]) await build(`fewer${k}`, '--slice', `${k}/2`, 'fewer');
    const slices = ['slice1', 'slice2', 'slice3', 'slice4'];
    expect(await merge('whole', ...slices, 'fewer2', 'fewer1')).toMatchObject({ status: 0 });
    expect((await merge('whole', ...slices, 'fewer2')).stderr).toContain(
      'fewer2 was built of other inputs than slice1',
    );
  });
});

describe('a merge of parts', () => {
  test('of the same inputs is the filter of one build', async () => {
    expect(await merge('part3', 'part1', 'part2')).toMatchObject({ status: 0 });
    expect(bytesOf('merged').equals(bytesOf('whole'))).toBe(true);
  });

  test('of other inputs is refused', async () => {
    await build('foreign2', '--part', '2/3', 'fewer');
    expect(await merge('part1', 'foreign2', 'part3')).toEqual({
      stderr:
        'bloom: foreign2 was built of other inputs than part1; build it of the same files, with the same flags, or add --partial\n',
      status: 2,
    });
    expect(await merge('--partial', 'part1', 'foreign2', 'part3')).toMatchObject({ status: 0 });
    expect((await merge('--partial', 'part1', 'part3')).stderr).toContain(
      'some of the 3 parts of the filter are missing: 2',
    );
  });

  test('that were built of slices finds a slice that one of them lacks', async () => {
    for (const part of [1, 2, 3])
      for (const slice of [1, 2])
        await build(`${part}of${slice}`, '--part', `${part}/3`, '--slice', `${slice}/2`, 'words');
    for (const part of [1, 2, 3])
      expect((await within(['merge', `${part}of1`, `${part}of2`, '-o', `${part}of`])).status).toBe(0);
    expect(await merge('1of', '2of', '3of')).toMatchObject({ status: 0 });
    expect(bytesOf('merged').equals(bytesOf('whole'))).toBe(true);
    expect((await merge('1of', '2of1', '3of')).stderr).toContain('2of1 was built of other inputs than 1of');
    expect((await merge('1of1', '2of2', '3of1')).stderr).toContain(
      '2of2 was built of slice 2 of 2, and 1of1 of slice 1 of 2',
    );
    expect(await merge('1of1', '2of1', '3of1')).toMatchObject({ status: 0 });
    expect(originIn('merged')).toMatchObject({ slice: 1, slices: 2 });
  });
});
