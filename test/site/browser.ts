// The browser for the tests, and its pages.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { IS_LONG } from '../long.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHROMIUM = '/usr/bin/chromium';

/** Whether the tests in Chromium run: in long runs, if it is installed. */
export const HAS_CHROMIUM = IS_LONG && existsSync(CHROMIUM);
if (IS_LONG && !HAS_CHROMIUM) console.log('skipped: there is no chromium for the pages');

/** The most bytes that the pages may have together. */
export const MOST_BYTES = 200_000;

/** Makes the pages in a folder of the test's own, as another test may make them at the same time. Returns the folder. */
export function makeSite(folder: string): string {
  execFileSync(process.execPath, ['.site.js', folder], { cwd: ROOT, stdio: 'pipe' });
  return folder;
}

export async function launch(): Promise<Browser> {
  // Loading it takes half a second, also where no browser is.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** The address of a page in a folder, without a server. */
export function fileUrl(folder: string, page: string): string {
  return pathToFileURL(`${folder}/${page}`).href;
}

/** The findings of axe-core on a page: the rules, and the elements that violate them. */
export async function findings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  const violations = await page.evaluate<{ id: string; nodes: { target: string[] }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** Light and dark pages, wide and narrow. 320 pixels are those of a page of 1,280 at 400 % (WCAG 1.4.10). */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1000, 320].map((width) => ({ colorScheme, width })),
);

/** The addresses that a page requests outside its own folder. */
export function requestsElsewhere(page: Page, own: string): string[] {
  const others: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) others.push(request.url());
  });
  return others;
}
