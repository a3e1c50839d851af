// A standard input that somebody has read the beginning of: it begins where they have left it.

import { beforeAll, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { bloom, shell } = scratch();
const WORDS = fixture('words.txt');

beforeAll(() => {
  bloom(['build', WORDS, '-o', 'words.bloom']);
});

/** Runs a command whose standard input is a file behind its first line. */
const behindFirstLine = (file: string, line: string) => shell(`{ read -r first; $BLOOM ${line}; } < ${file}`);

test('a filter', () => {
  shell('(echo not a filter; cat words.bloom) > behind');
  expect(behindFirstLine('behind', 'query - -e walk -e wlak')).toEqual({ stdout: 'walk\n', stderr: '', status: 0 });
  const { stdout } = behindFirstLine('behind', 'stats --json --probes 0 -');
  expect(JSON.parse(stdout)).toMatchObject({ inserted: 5130 });
});

test('few records', () => {
  shell("printf 'wlak\\nno such word\\nwalk\\n' > few");
  expect(behindFirstLine('few', 'query -n words.bloom')).toEqual({ stdout: '2:walk\n', stderr: '', status: 0 });
  behindFirstLine('few', 'build -p 1e-9 -o two.bloom');
  expect(bloom(['query', 'two.bloom', 'few']).stdout).toBe('no such word\nwalk\n');
});

test('so many records that threads are called', () => {
  shell('seq 1000000 5500000 > many; $BLOOM build -p 1e-9 <(echo 1000000; echo 1000001; echo 5500000) -o some.bloom');
  for (const threads of [1, 3]) {
    expect(behindFirstLine('many', `query -n --threads ${threads} some.bloom`)).toEqual({
      stdout: '1:1000001\n4500000:5500000\n',
      stderr: '',
      status: 0,
    });
  }
});
