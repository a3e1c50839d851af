// A standard input whose beginning was already read: bloom begins where that reader stopped.

import { beforeAll, expect, test } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { shell, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  await within(['build', WORDS, '-o', 'words.bloom']);
});

/** 36 MB. */
const COUNT = inLongRuns(60_000, 6000);
const LENGTH = 36e6 / COUNT - 1;

/** Runs a command whose standard input is a file from its second line on. */
const behindFirstLine = (file: string, line: string) => shell(`{ read -r first; $BLOOM ${line}; } < ${file}`);

test('a filter', () => {
  shell('(echo not a filter; cat words.bloom) > behind');
  expect(behindFirstLine('behind', 'query - -e walk -e wlak')).toEqual({ stdout: 'walk\n', stderr: '', status: 0 });
  const { stdout } = behindFirstLine('behind', 'stats --json --probes 0 -');
  expect(JSON.parse(stdout)).toMatchObject({ inserted: 5130 });
});

test('few records', async () => {
  shell("printf 'wlak\\nno such word\\nwalk\\n' > few");
  expect(behindFirstLine('few', 'query -n words.bloom')).toEqual({ stdout: '2:walk\n', stderr: '', status: 0 });
  behindFirstLine('few', 'build -p 1e-9 -o two.bloom');
  expect((await within(['query', 'two.bloom', 'few'])).stdout).toBe('no such word\nwalk\n');
});

test.runIf(IS_LONG)('enough records for several threads', async () => {
  shell(`seq -f %0${LENGTH}.0f ${COUNT} > many`);
  const [first, second, last] = [1, 2, COUNT].map((number) => `${number}`.padStart(LENGTH, '0'));
  await within(['build', '-p', '1e-9', '-o', 'some.bloom'], { stdin: `${first}\n${second}\n${last}\n` });
  for (const threads of [1, 3]) {
    expect(behindFirstLine('many', `query -n --threads ${threads} some.bloom`)).toEqual({
      stdout: `1:${second}\n${COUNT - 1}:${last}\n`,
      stderr: '',
      status: 0,
    });
  }
});
