import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, expect } from 'vitest';
import type { PageScratch } from './page.ts';

/** Has the file of keys of the page in a folder; returns what runs commands and expects of them the filter of a single build. */
export function urlsIn({ path, bloom, run }: PageScratch): (commands: string) => void {
  beforeAll(() => {
    writeFileSync(path('urls.txt'), Array.from({ length: 30_000 }, (_, i) => `https://example.org/${i}\n`).join(''));
    bloom(['build', '-n', '1M', '-o', 'whole.bloom', 'urls.txt']);
  });
  return (commands) => {
    rmSync(path('urls.bloom'), { force: true });
    run(commands);
    expect(readFileSync(path('urls.bloom')).equals(readFileSync(path('whole.bloom')))).toBe(true);
  };
}
