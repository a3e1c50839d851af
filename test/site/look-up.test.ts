// The page that looks up keys, in Chromium, beside the command.

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { count, rate } from '../../src/quantities.ts';
import { fixture, scratch } from '../cli/run.ts';
import { type StaticServer, staticServer } from '../web/static-server.ts';
import { fileUrl, findings, HAS_CHROMIUM, LOOKS, launch, makeSite, requestsElsewhere } from './browser.ts';

const { path, within } = scratch();

describe.skipIf(!HAS_CHROMIUM)('the page that looks up keys', () => {
  let browser: Browser;
  let page: Page;
  let server: StaticServer;
  let folder = '';
  let elsewhere: string[] = [];
  const opened = async (hash = '') => {
    await page.goto('about:blank');
    await page.goto(`${fileUrl(folder, 'look-up.html')}${hash}`);
  };
  /** The facts of the open filter, by their names. */
  const facts = async () => {
    await page.getByText('predicted rate', { exact: true }).waitFor();
    const [names, values] = [await page.locator('dt').allInnerTexts(), await page.locator('dd').allInnerTexts()];
    return Object.fromEntries(names.map((name, i) => [name, values[i]]));
  };
  /** The latest row of answers, once it has an answer for a key. */
  const answerTo = async (key: string) => {
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Look up', exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `${key}: ` })
      .waitFor();
    const cells = await page.locator('#answers tbody tr').first().locator('th, td').allInnerTexts();
    return cells.slice(0, 4);
  };

  beforeAll(async () => {
    folder = makeSite(path('site'));
    server = await staticServer();
    browser = await launch();
    page = await browser.newPage();
    elsewhere = requestsElsewhere(page, fileUrl(folder, ''));
    await within(['build', '-n', '1M', '--segment-size', '16KiB', fixture('words.txt'), '-o', 'words.bloom']);
    server.files.set('/words.bloom', readFileSync(path('words.bloom')));
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  test.each(KINDS.map(({ name }) => name))(
    'reports on a file as stats does, and has the answers of the command: %s',
    async (kind) => {
      await within(['build', '--kind', kind, fixture('words.txt'), '-o', 'f.bloom', '--force']);
      const { stdout } = await within(['stats', '--json', 'f.bloom']);
      const stats = JSON.parse(stdout);
      await opened();
      await page.getByLabel('Filter file').setInputFiles(path('f.bloom'));
      expect(await facts()).toMatchObject({
        kind,
        hash: 'xxh64',
        added: `5,130 keys, for a capacity of ${count(stats.capacity)}`,
        'predicted rate': rate(stats.predictedFpr),
        full: expect.stringContaining(`${rate(stats.fillRatio)} of its `),
      });
      expect(await answerTo('walk')).toEqual(['walk', 'maybe present', '0', '0 B']);
      const keys = readFileSync(fixture('packages.txt'), 'utf8');
      await page.getByLabel('List of keys').fill(`${keys}walk\n`);
      await page.getByRole('button', { name: 'Look up all' }).click();
      await page.getByRole('status').filter({ hasText: 'maybe present' }).waitFor();
      await page.locator('#present').waitFor();
      const selected = await within(['query', 'f.bloom'], { stdin: `${keys}walk\n` });
      expect(`${await page.locator('#present').innerText()}\n`).toBe(selected.stdout);
      expect(elsewhere).toEqual([]);
    },
  );

  test('reads from a host what a key needs, or the whole file', async () => {
    const url = `${server.origin}/words.bloom`;
    await opened();
    await page.getByLabel('Address of a filter').fill(url);
    await page.getByRole('button', { name: 'Open' }).click();
    await facts();
    expect(server.requests()).toBe(2);
    expect(await answerTo('walk')).toEqual(['walk', 'maybe present', '1', expect.stringMatching(/^16\.\d kB$/)]);
    expect(await answerTo('wlak')).toEqual(['wlak', 'absent', expect.any(String), expect.any(String)]);
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await facts();
    server.requests();
    await page.getByLabel('Read the whole file').check();
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('predicted rate', { exact: true }).waitFor();
    // A browser that kept parts of the file may request the rest in parts.
    expect(server.requests()).toBeGreaterThan(0);
    expect(await answerTo('walk')).toEqual(['walk', 'maybe present', '0', '0 B']);
    expect(server.requests()).toBe(0);
    expect(elsewhere.every((address) => address === url)).toBe(true);
  });

  test('shows errors', async () => {
    await opened();
    await page.getByLabel('Address of a filter').fill(`${server.origin}/none`);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').filter({ hasText: 'the server answered with status 404' }).waitFor();
    await page.getByLabel('Filter file').setInputFiles(fixture('words.txt'));
    await page.getByRole('alert').filter({ hasText: 'words.txt is not a filter' }).waitFor();
    expect(await page.locator('#opened').isHidden()).toBe(true);
  });

  test.each(LOOKS)('has no findings of axe, and fits: $colorScheme, $width pixels', async ({ colorScheme, width }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await opened();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('Filter file').setInputFiles(path('words.bloom'));
    await facts();
    await answerTo('walk');
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});
