// The command on a terminal, a pseudo one that script(1) of util-linux makes.

import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { bloom, shell } = scratch();
const WORDS = fixture('words.txt');
const isMissing = spawnSync('script', ['--version']).status !== 0;

beforeAll(() => {
  bloom(['build', WORDS, '-o', 'words.bloom']);
});

/** Runs a command on a terminal of 90 columns. */
function onTerminal(command: string) {
  return shell(`script -qec "stty cols 90; ${command}" /dev/null < /dev/null`);
}

describe.skipIf(isMissing)(`on a terminal${isMissing ? ' (no script(1) here)' : ''}`, () => {
  test('a filter is not written', () => {
    const { stdout, status } = onTerminal(`$BLOOM build ${WORDS} -o -`);
    expect(stdout).toContain('refusing to write a binary filter to the terminal; name a file with -o');
    expect(stdout).not.toContain('BLM');
    expect(status).toBe(2);
  });

  test('a report has colours, unless they are not wished for', () => {
    const stats = '$BLOOM stats --probes 0 words.bloom';
    expect(onTerminal(stats).stdout).toContain('\u001b[32mhealthy');
    expect(onTerminal(`NO_COLOR=1 ${stats}`).stdout).not.toContain('\u001b');
    expect(onTerminal(`TERM=dumb ${stats}`).stdout).not.toContain('\u001b');
  });

  const slowBuild = (variable = '') =>
    onTerminal(`(cat ${WORDS}; sleep 1; cat ${WORDS}) | ${variable} $BLOOM build -n 10k --force -o progress.bloom`);

  test('long work shows its progress, and takes it away', () => {
    const { stdout } = slowBuild();
    expect(stdout).toContain('building: 94.0 kB, ');
    // The line is erased before the last word is said.
    expect(stdout).toContain('\u001b[0Kprogress.bloom: 10,260 keys');
    expect(onTerminal(`$BLOOM build ${WORDS} --force -o progress.bloom`).stdout).not.toContain('building');
  });

  test.each(['TERM=dumb', 'CI=true'])('with %s, where no line can be taken away, none is shown', (variable) => {
    expect(slowBuild(variable).stdout).toMatch(/^progress\.bloom: 10,260 keys .*\r\n$/);
  });
});
