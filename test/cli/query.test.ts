import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, start, within } = scratch();
const PACKAGES = fixture('packages.txt');
const LOG = fixture('dpkg.log');

/** Members, and records that the filter certainly rejects: a rate of 1e-9 makes false positives improbable. */
beforeAll(async () => {
  await within(['build', '-p', '1e-9', PACKAGES, '-o', 'packages.bloom']);
  writeFileSync(path('members'), 'alpha\nbeta\ngamma\n');
  writeFileSync(path('mixed'), 'beta\nno\nalpha\nnever\n');
  await within(['build', '-p', '1e-9', 'members', '-o', 'm.bloom']);
});

describe('query', () => {
  test('prints the records that may be in the set, in order', async () => {
    expect(await within(['query', 'm.bloom', 'mixed'])).toMatchObject({
      stdout: 'beta\nalpha\n',
      stderr: '',
      status: 0,
    });
    expect(await within(['query', 'm.bloom'], { stdin: 'no\ngamma' })).toMatchObject({ stdout: 'gamma\n', status: 0 });
    expect(await within(['query', 'm.bloom'], { stdin: 'no\n' })).toMatchObject({ stdout: '', status: 1 });
    expect(bloom(['query', '--threads', '2', 'm.bloom', 'mixed']).stdout).toBe('beta\nalpha\n');
  });

  // enough.test.ts has more of this.
  test('selects as grep does', async () => {
    expect(await within(['query', '-c', 'm.bloom', 'mixed', 'members'])).toMatchObject({ stdout: '5\n', status: 0 });
    expect((await within(['query', '-c', '-H', 'm.bloom', '-e', 'alpha', 'mixed'])).stdout).toBe('-e:1\nmixed:2\n');
    expect((await within(['query', '-Hn', 'm.bloom', '-e', 'alpha', 'members'])).stdout).toMatch(
      /^-e:1:alpha\nmembers:1:/,
    );
    expect(await within(['query', '-q', 'm.bloom', 'mixed'])).toMatchObject({ stdout: '', status: 0 });
    expect((await within(['query', '-q', 'm.bloom', '-e', 'no'])).status).toBe(1);
    // A key of the command line is the answer already, as for grep.
    expect(await within(['query', '-q', 'm.bloom', '-e', 'alpha', 'gone'])).toEqual({
      stdout: '',
      stderr: '',
      status: 0,
    });
    expect((await within(['query', '-q', 'm.bloom', '-e', 'no', 'gone'])).status).toBe(2);
    expect((await within(['query', '--tag', 'm.bloom', 'mixed'])).stdout).toBe('+beta\n-no\n+alpha\n-never\n');
  });

  test('with --exit-zero, an empty selection is success, but an error is not', async () => {
    const statusOf = async (...args: string[]) => (await within(['query', '--exit-zero', ...args])).status;
    expect(await statusOf('m.bloom', '-e', 'no')).toBe(0);
    expect(await statusOf('m.bloom', '-e', 'alpha')).toBe(0);
    expect(await statusOf('m.bloom', '-c', 'mixed', 'missing')).toBe(2);
    expect(await statusOf('--which', 'm.bloom', '-e', 'no')).toBe(0);
    expect(await within(['query', '--exit-zero', '-q', 'm.bloom', '-e', 'no'])).toMatchObject({
      stderr: 'bloom: --quiet answers only with the exit status, which --exit-zero makes 0; leave out one of them\n',
      status: 2,
    });
  });

  test('prints JSON for every record', async () => {
    const { stdout } = await within(['query', '--json', 'm.bloom', 'mixed']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { record: 'beta', match: true, file: 'mixed', line: 1 },
      { record: 'no', match: false, file: 'mixed', line: 2 },
      { record: 'alpha', match: true, file: 'mixed', line: 3 },
      { record: 'never', match: false, file: 'mixed', line: 4 },
    ]);
  });

  test('encodes records that are not UTF-8 in JSON, of any length', async () => {
    const long = Buffer.alloc(3_000_001, 'x\xff\x80', 'latin1');
    const records = [
      Buffer.from([0xff, 0xfe, 0x00, 0x80]),
      Buffer.from('\ufffd'),
      Buffer.from([0xc3]),
      long,
      Buffer.alloc(1_500_000, 'é'),
    ];
    const { stdout } = await within(['query', '--raw', '--json', 'm.bloom'], {
      stdin: Buffer.concat(records.flatMap((record) => [record, Buffer.from('\r\n')])),
    });
    const objects: { record: string | null; recordBase64?: string }[] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects.map(({ record }) => record?.length)).toEqual([undefined, 1, undefined, undefined, 1_500_000 / 2]);
    expect(objects.map(({ recordBase64 }) => recordBase64 !== undefined)).toEqual([true, false, true, true, false]);
    const back = objects.map(({ record, recordBase64 }) =>
      Buffer.from(record ?? recordBase64 ?? '', record === null ? 'base64' : 'utf8'),
    );
    for (const [i, record] of records.entries())
      expect(record.equals(back[i] ?? record.subarray(1)), String(i)).toBe(true);
    expect(stdout.split('\n')[0]).toBe('{"record":null,"recordBase64":"//4AgA==","match":false,"file":"-","line":1}');
  });

  test('finds the lines of a log whose field is a member, as awk and grep do', async () => {
    const expected = shell(`awk 'NR == FNR { member[$1]; next } $4 in member' ${PACKAGES} ${LOG}`).stdout;
    expect(expected.split('\n').length).toBeGreaterThan(30);
    expect((await within(['query', '-f', '4', 'packages.bloom', LOG])).stdout).toBe(expected);
    expect((await within(['query', '-f', '4', '-d', ' ', 'packages.bloom', LOG])).stdout).toBe(expected);
    const anywhere = shell(
      `awk 'NR == FNR { member[$1]; next } { for (i = 1; i <= NF; i++) if ($i in member) { print; next } }' ${PACKAGES} ${LOG}`,
    ).stdout;
    expect(anywhere.length).toBeGreaterThan(expected.length);
    expect((await within(['query', '-f', '1-', 'packages.bloom', LOG])).stdout).toBe(anywhere);
  });

  test('keeps the bytes of a record: CR, NUL, invalid UTF-8', async () => {
    const crlf = Buffer.from('beta\r\nno\r\nalpha\r\n');
    expect((await within(['query', 'm.bloom'], { stdin: crlf })).stdout).toBe('beta\r\nalpha\r\n');
    expect((await within(['query', '-0', 'm.bloom'], { stdin: 'beta\0no\nt\0alpha' })).stdout).toBe('beta\0alpha\0');
    const junk = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    writeFileSync(path('junk'), junk);
    await within(['build', '--raw', 'junk', '-o', 'junk.bloom']);
    shell('$BLOOM query --raw junk.bloom junk > junk.out');
    expect(readFileSync(path('junk.out')).equals(Buffer.concat([junk, Buffer.from('\n')]))).toBe(true);
  });

  test('looks up keys of the command line', async () => {
    expect((await within(['query', 'm.bloom', '-e', 'alpha', '-e', 'no', '-e', 'beta'])).stdout).toBe('alpha\nbeta\n');
    expect((await within(['query', 'm.bloom', '-e', 'alpha', 'mixed'])).stdout).toBe('alpha\nbeta\nalpha\n');
  });

  test('reads a key of the command line like input', async () => {
    expect((await within(['query', 'm.bloom', '-e', 'alpha\nno\nbeta\r'])).stdout).toBe('alpha\nbeta\r\n');
    expect((await within(['query', '-0', '-c', 'm.bloom', '-e', 'alpha\nbeta', '-e', 'alpha\r'])).stdout).toBe('0\n');
  });

  test('prints the summary on standard error', async () => {
    const { stderr } = await within(['query', '--summary', '-q', 'm.bloom', '-v', '-e', 'alpha']);
    expect(stderr).toMatch(/^1 record: 0 absent \(0 %\), 1 maybe present; 0 false positives expected at a rate of /);
  });

  test('states the expected errors of keys, not of records', async () => {
    const lines = Array.from({ length: 1000 }, (_, i) =>
      Array.from({ length: 20 }, (_, j) => 20 * i + j + 1).join(' '),
    );
    writeFileSync(path('foreign'), `${lines.join('\n')}\n`);
    shell('seq 5000 > alone; seq 100001 101000 > thousand');
    await within(['build', '-n', '1k', '-p', '10%', 'thousand', '-o', 'tenth.bloom']);
    const expected = (...args: string[]) => {
      const { stderr } = bloom(['query', '-c', '--summary', 'tenth.bloom', ...args]);
      return Number(/; (?:at most )?([0-9.]+) false positives/.exec(stderr)?.[1]);
    };
    // A thousand lines of twenty non-members each: nearly all are false positives.
    const positives = Number((await within(['query', '-c', '-f', '1-', 'tenth.bloom', 'foreign'])).stdout);
    expect(positives).toBeGreaterThan(800);
    expect(expected('-f', '1-', 'foreign')).toBe(positives);
    expect(Math.abs(expected('alone') / 500 - 1)).toBeLessThan(0.2);
    expect(expected('-f', '2', 'alone')).toBe(0);
  });

  test('prints records longer than any buffer', async () => {
    const long = 'x'.repeat(3_000_000);
    writeFileSync(path('long'), `short\n${long}\n${long}y\n`);
    await within(['build', '-p', '1e-9', 'long', '-o', 'long.bloom']);
    const asked = `${long}\n${long}z\n${long}y\n`;
    expect((await within(['query', '-n', 'long.bloom'], { stdin: asked })).stdout).toBe(`1:${long}\n3:${long}y\n`);
  });

  test.runIf(IS_LONG)('makes JSON of records that are longer than a string can be', () => {
    shell("tr '\\0' '\\1' < /dev/zero | head -c 100000000 > large; (cat large; echo; echo small) > some");
    const { stdout, status } = shell('$BLOOM query m.bloom --json some | wc -c');
    const frame = '{"record":"","match":false,"file":"some","line":1}\n'.length;
    expect({ stdout, status }).toEqual({ stdout: `${6 * 100_000_000 + 2 * frame + 5}\n`, status: 0 });
  });

  test('answers a live input before it ends', async () => {
    const child = start(['query', 'm.bloom']);
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) throw new Error('no pipes');
    stdin.write('alpha\nno\n');
    const [first] = await once(stdout, 'data');
    expect(String(first)).toBe('alpha\n');
    stdin.write('be');
    stdin.write('ta\n');
    const [second] = await once(stdout, 'data');
    expect(String(second)).toBe('beta\n');
    stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends quietly if its reader ends', () => {
    expect(shell('yes alpha | head -n 1000000 | ($BLOOM query m.bloom; echo $? >&2) | head -n 1')).toMatchObject({
      stdout: 'alpha\n',
      stderr: '0\n',
    });
  });

  test.each(
    sampled([
      ['loop >> loop', 'loop'],
      ['< loop >> loop', 'standard input'],
      ['--json - < loop >> loop', 'standard input'],
      ['loop 1<> loop', 'loop'],
    ]),
  )('does not read its own output: %s', (line, name) => {
    // Enough that bloom prints the first records before it reads the last ones. The limit, in blocks of 1,024 bytes, ends a run that
    // would not end.
    const { stdout, stderr } = shell(`
      yes alpha | head -n 200000 > loop; cp loop before; ulimit -f 8192
      $BLOOM query m.bloom ${line}; echo $?; cmp loop before`);
    expect(stderr).toBe(`bloom: ${name} is both an input and the output; write to another file\n`);
    expect(stdout).toBe('2\n');
  });

  test('reads the other inputs, and counts in the output file', () => {
    expect(shell('echo beta > log; $BLOOM query m.bloom members log mixed >> log; echo $?; cat log')).toEqual({
      stdout: '2\nbeta\nalpha\nbeta\ngamma\nbeta\nalpha\n',
      stderr: 'bloom: log is both an input and the output; write to another file\n',
      status: 0,
    });
    expect(shell('$BLOOM query -c m.bloom log >> log; echo $?; tail -n 1 log').stdout).toBe('0\n6\n');
  });

  test.each(inLongRuns(['query', 'query -c', 'stats --probes 0'], ['query', 'stats --probes 0']))(
    '%s does not print into the filter',
    (command) => {
      const { stdout, stderr } =
        shell(`cp m.bloom same.bloom; $BLOOM ${command} same.bloom < members >> same.bloom; echo $?
      cmp m.bloom same.bloom`);
      expect(stderr).toBe('bloom: same.bloom is both an input and the output; name another file\n');
      expect(stdout).toBe('2\n');
    },
  );

  test('reports an unreadable file, reads the others and ends with 2', async () => {
    expect(await within(['query', 'm.bloom', 'nowhere', 'mixed', '.'])).toEqual({
      stdout: 'beta\nalpha\n',
      stderr:
        'bloom: cannot read nowhere: no such file or folder; try bloom query m.bloom -e nowhere mixed .\nbloom: cannot read .: is a directory\n',
      status: 2,
    });
  });
});

test('the expected false positives follow from the absent records', async () => {
  // Of A absent records, bloom reports A (1 - f) as absent; the other A f are the false positives.
  const words = fixture('words.txt');
  await within(['build', '-n', '2k', words, '-o', 'overfull.bloom']);
  shell('seq 20000 > numbers');
  const f = JSON.parse((await within(['stats', '--json', '--probes', '0', 'overfull.bloom'])).stdout).predictedFpr;
  expect(f).toBeGreaterThan(0.3);
  const { stdout, stderr } = await within(['query', '-c', '-v', '--summary', 'overfull.bloom', words, 'numbers']);
  const expected = Math.round((Number(stdout) / (1 - f)) * f).toLocaleString('en');
  expect(stderr).toContain(`; ${expected} false positives expected at a rate of `);
});

test('states how many lines are likely false, with all of their words', async () => {
  await within(['build', fixture('words.txt'), '-o', 'words.bloom', '--force']);
  const { stderr } = await within(['query', 'words.bloom', '-f', '1-', '--summary', '-c', LOG]);
  const [, expected, keys] =
    /; ([\d.]+) false positives expected at a rate of .* per key and ([\d.]+) keys per record\n$/.exec(stderr) ?? [];
  // The number that awk '{ n += NF } END { print n / NR }' prints.
  expect(Number(keys)).toBe(6.0);
  expect(Number(expected)).toBeGreaterThan(20);
});
