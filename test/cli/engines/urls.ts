import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect } from 'vitest';
import { BLOOM } from '../run.ts';
import type { PageScratch } from './page.ts';

/**
 * Writes the file of keys of the page into a folder. Returns a function that runs commands twice (slow ones once), then with one
 * failing task, and once more. Each run must make the filter of a single build, or fail and leave the file unchanged.
 */
export function urlsIn({
  path,
  bloom,
  run,
  shell,
  install,
  environment,
}: PageScratch): (commands: string, isSlow?: boolean) => void {
  beforeAll(() => {
    writeFileSync(path('urls.txt'), Array.from({ length: 30_000 }, (_, i) => `https://example.org/${i}\n`).join(''));
    bloom(['build', '-n', '1M', '-o', 'whole.bloom', 'urls.txt']);
    // The first build that finds this file fails.
    const failing = path('failing');
    const fail = `if [ "$1" = build ] && rm '${failing}' 2> /dev/null; then exit 1; fi`;
    install('bloom', [fail, `exec '${process.execPath}' '${BLOOM}' "$@"`]);
  });
  return (commands, isSlow = false) => {
    const whole = readFileSync(path('whole.bloom'));
    const expectWhole = () => expect(readFileSync(path('urls.bloom')).equals(whole)).toBe(true);
    for (let i = 0; i < 2; i++) {
      writeFileSync(path('urls.bloom'), 'an earlier filter');
      run(commands);
      expectWhole();
      if (isSlow) break;
    }
    writeFileSync(path('failing'), '');
    const { status } = shell(`${environment()}\n${commands}`);
    expect(existsSync(path('failing'))).toBe(false);
    expect(status).not.toBe(0);
    expectWhole();
    run(commands);
    expectWhole();
  };
}
