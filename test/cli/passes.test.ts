// build --passes: the same file as in one pass, or none.

import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, start, within } = scratch();
const WORDS = fixture('words.txt');
const SIZED = ['-n', '1M', '-p', '0.001%'];
const bytesOf = (name: string) => readFileSync(path(name));

beforeAll(async () => {
  await within(['build', ...SIZED, WORDS, '-o', 'whole.bloom']);
  shell(`seq 100000 > many; gzip -k many; head -n 2000 ${WORDS} > head; tail -n +2001 ${WORDS} > tail`);
});

describe('passes make', () => {
  test.each(
    sampled<[string, string[]]>([
      ['two files', ['head', 'tail']],
      ['a slice of all', ['--slice', '1/1', 'head', 'tail']],
      ['files of a list', ['--files-from', 'list']],
      ['digests', ['--digests', 'digests']],
    ]),
  )('the file that one pass makes, of %s', async (_, inputs) => {
    writeFileSync(path('list'), 'head\ntail\n');
    if (inputs.includes('digests')) await within(['digest', 'head', 'tail', '-o', 'digests']);
    const { stderr, status } = await within([
      'build',
      ...SIZED,
      '--passes',
      '3',
      ...inputs,
      '-o',
      'made.bloom',
      '--force',
    ]);
    expect(stderr).toMatch(/^made\.bloom: 5,130 keys \(5,130 distinct\), 23,\d{3},\d{3} bits .* keys\/s\n$/);
    expect(status).toBe(0);
    // The filter records its slice.
    const isSlice = inputs.includes('--slice');
    if (isSlice) await within(['build', ...SIZED, ...inputs, '-o', 'slice.bloom']);
    expect(Buffer.compare(bytesOf('made.bloom'), bytesOf(isSlice ? 'slice.bloom' : 'whole.bloom'))).toBe(0);
  });

  test('a filter whose size follows from its input, also of compressed files', async () => {
    await within(['build', '-p', '1e-12', 'many', '-o', 'sized.bloom']);
    await within(['build', '-p', '1e-12', '--passes', '2', 'many.gz', '-o', 'passes.bloom']);
    expect(Buffer.compare(bytesOf('passes.bloom'), bytesOf('sized.bloom'))).toBe(0);
  });

  test('a filter for a pipe, and the same with one pass', async () => {
    expect(shell(`$BLOOM build ${SIZED.join(' ')} --passes 6 ${WORDS} -o - | cmp - whole.bloom`).status).toBe(0);
    await within(['build', ...SIZED, '--passes', '1', '-o', 'one.bloom'], { stdin: readFileSync(WORDS) });
    expect(Buffer.compare(bytesOf('one.bloom'), bytesOf('whole.bloom'))).toBe(0);
  });
});

describe('refused', () => {
  test.each([
    ['more passes than segments', `${SIZED.join(' ')} --passes 7 ${WORDS}`, /a filter of 6 segments cannot be divided/],
    ['more passes than segments of a sized filter', `--passes 2 ${WORDS}`, /a filter of 1 segment cannot be divided/],
    [
      'the standard input',
      `--passes 2 < ${WORDS}`,
      /reads its inputs 2 times, and standard input can be read only once/,
    ],
    ['a pipe', `--passes 2 head <(cat tail)`, /reads its inputs 2 times, and \/dev\/fd\/\d+ can be read only once/],
    ['a part', `--passes 2 --part 1/2 ${WORDS}`, /--part has no effect: --passes makes all parts/],
    ['a filter that grows', `--kind scalable --passes 2 ${WORDS}`, /a scalable filter grows/],
    ['a filter of others', `--format guava -n 10M --passes 2 ${WORDS}`, /--passes works only for the format bloomery/],
    [
      'a filter like a part',
      `--like part.2 --passes 2 ${WORDS}`,
      /--passes builds a whole filter, and --like names a part/,
    ],
    ['no pass', `--passes 0 ${WORDS}`, /expected a whole number from 1/],
    ['keys beyond the capacity', `-m 24M -n 1k --strict --passes 3 ${WORDS}`, /nothing was written: never was sized/],
    ['an input that is missing', `${SIZED.join(' ')} --strict --passes 3 ${WORDS} missing`, /nothing was written/],
  ])('%s', async (_, flags, message) => {
    if (flags.includes('part.2')) await within(['build', ...SIZED, '--part', '2/3', WORDS, '-o', 'part.2']);
    const isRedirected = flags.includes('<');
    const line = `build ${flags} -o never`;
    const { stderr, status } = isRedirected ? shell(`$BLOOM ${line}`) : await within(line.split(' '));
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
    expect(readdirSync(path('.')).filter((name) => name.startsWith('never') || name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('with too little free memory', () => {
  const withFree = (bytes: number, flags: string) => {
    vi.spyOn(process, 'availableMemory').mockReturnValue(bytes);
    return within(`build ${SIZED.join(' ')} ${flags} -o some --force`.split(' '));
  };
  afterEach(() => vi.restoreAllMocks());
  const advised = ({ stderr }: { readonly stderr: string }) => Number(/--passes (\d+)/.exec(stderr)?.[1]);

  // The filter has 6 segments of half a megabyte.
  test.each(
    sampled<[string, number, number]>([
      ['bloom', 1e6, 3],
      ['bloom', 2e6, 2],
      ['bloom', 6e5, 6],
      ['quotient', 4e6, 3],
    ]),
  )('the fewest passes for a %s filter are advised if %d bytes are free', async (kind, bytes, passes) => {
    const flags = `--kind ${kind} ${WORDS}`;
    const refused = await withFree(bytes, flags);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('bloom: the filter needs ') });
    expect(advised(refused)).toBe(passes);
    expect((await withFree(bytes, `--passes ${passes} ${flags}`)).status).toBe(0);
    expect((await withFree(bytes, `--part 1/${passes} ${flags}`)).status).toBe(0);
    const fewer = passes - 1;
    if (fewer === 1) return;
    const [inPasses, part] = [
      await withFree(bytes, `--passes ${fewer} ${flags}`),
      await withFree(bytes, `--part ${fewer}/${fewer} ${flags}`),
    ];
    expect(inPasses).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('bloom: the part of the filter needs '),
    });
    expect([advised(inPasses), advised(part)]).toEqual([passes, passes]);
  });

  test('no insufficient number of passes is advised', async () => {
    expect((await withFree(4e5, WORDS)).stderr).not.toContain('--passes');
    expect((await withFree(4e5, `--kind scalable ${WORDS}`)).stderr).not.toContain('--passes');
  });
});

/** Loaded before the command. A signal comes when the second pass has begun, which opens the input again. */
const INTERRUPTED = `
const fs = require('node:fs');
const { openSync } = fs;
let opened = 0;
fs.openSync = (name, ...rest) => {
  if (String(name).endsWith('many') && ++opened === 2) {
    console.error(fs.readdirSync('.').filter((name) => name.endsWith('.tmp')).length);
    process.kill(process.pid, process.env.SIGNAL);
  }
  return openSync(name, ...rest);
};`;

test.each(inLongRuns(['SIGINT', 'SIGTERM'], ['SIGINT']) as NodeJS.Signals[])(
  '%s in the second pass leaves the old file and no other',
  async (signal) => {
    shell('mkdir -p killed; mv -f killed/many . 2> /dev/null; cp many killed/; echo old > killed/out');
    writeFileSync(path('killed/interrupted.cjs'), INTERRUPTED);
    const env = { ...process.env, NODE_OPTIONS: '--require ./interrupted.cjs', SIGNAL: signal };
    const flags = ['--threads', '1', '-m', '20M', '--passes', '3', '--force'];
    const child = start(['build', ...flags, 'many', '-o', 'out'], { env, cwd: path('killed') });
    const files = child.stderr && once(child.stderr, 'data');
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(String(await files)).toBe('1\n');
    expect(readFileSync(path('killed/out'), 'utf8')).toBe('old\n');
    expect(readdirSync(path('killed')).sort()).toEqual(['interrupted.cjs', 'many', 'out']);
  },
);

describe('with --resume', () => {
  /** Loaded before the command, which is killed when it opens its input for the nth time. */
  const KILLED = `
const fs = require('node:fs');
const { openSync } = fs;
let opened = 0;
fs.openSync = (name, ...rest) => {
  if (String(name).endsWith('many') && ++opened === Number(process.env.PASS)) process.kill(process.pid, 'SIGKILL');
  return openSync(name, ...rest);
};
const { appendFileSync } = fs;
process.on('exit', () => appendFileSync('opened', opened + '\\n'));`;
  const ARGS = ['--threads', '1', '-m', '20M', '--passes', '4', '--resume', 'many', '-o', 'out'];
  const files = () =>
    readdirSync(path('resumed'))
      .filter((name) => name.includes('out'))
      .sort();
  const run = async (pass: number) => {
    const env = { ...process.env, NODE_OPTIONS: '--require ./killed.cjs', PASS: String(pass) };
    const child = start(['build', ...ARGS], { env, cwd: path('resumed') });
    return once(child, 'exit');
  };
  const openings = () => Number(shell('tail -n 1 resumed/opened').stdout);

  beforeAll(async () => {
    shell('mkdir resumed; cp many resumed/');
    writeFileSync(path('resumed/killed.cjs'), KILLED);
    await within(['build', '-m', '20M', 'many', '-o', 'in-one.bloom']);
    await run(99);
    shell('rm resumed/out');
  });

  test('a killed build continues with the missing pass, and leaves no temporary file', async () => {
    const all = openings();
    expect(await run(3)).toEqual([null, 'SIGKILL']);
    expect(files().filter((name) => name.endsWith('.part'))).toEqual(['.out.1-of-4.part', '.out.2-of-4.part']);
    expect(await run(99)).toEqual([0, null]);
    expect(all - openings()).toBe(2);
    expect(readFileSync(path('resumed/out')).equals(bytesOf('in-one.bloom'))).toBe(true);
    expect(files()).toEqual(['out']);
  });

  test.runIf(IS_LONG).each([
    ['a damaged part', 'printf x | dd of=resumed/.out.1-of-4.part bs=1 seek=5000 conv=notrunc status=none', 1],
    ['parts of other inputs', 'touch -d 2001-01-01 resumed/many', 2],
  ])('%s is built again', async (_, change, again) => {
    shell('rm -f resumed/out');
    await run(99);
    const all = openings();
    shell('rm resumed/out');
    await run(3);
    shell(change);
    expect(await run(99)).toEqual([0, null]);
    expect(all - openings()).toBe(2 - again);
    expect(readFileSync(path('resumed/out')).equals(bytesOf('in-one.bloom'))).toBe(true);
  });

  test.each([
    [['many', '-o', 'never'], /--resume has no effect: without --passes, there is one pass/],
    [['--passes', '2', 'many', '-o', '-'], /--resume keeps finished parts beside the output; name a file with -o/],
    [
      ['--passes', '2', 'many', '--kind', 'ribbon', '--never', 'head', '-o', 'never'],
      /does not keep their protected keys/,
    ],
    [['--passes', '2', '-m', '20M', 'many', 'missing', '-o', 'never'], /cannot read missing/],
  ])('%j is refused', async (args, message) => {
    const { stderr, status } = await within(['build', '--resume', ...args]);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});
