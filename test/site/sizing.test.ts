// The page that sizes filters, in Chromium, beside the command.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratch } from '../cli/run.ts';
import { below, createRandom, type Random } from '../reference/random.ts';
import { fileUrl, findings, HAS_CHROMIUM, LOOKS, launch, MOST_BYTES, makeSite, requestsElsewhere } from './browser.ts';

const { path, within } = scratch();

type Values = Readonly<Partial<Record<'n' | 'p' | 'm' | 'k', string>>>;

const FLAGS = { n: '-n', p: '-p', m: '--memory', k: '-k' } as const;

function flagsOf(values: Values): string[] {
  return Object.entries(FLAGS).flatMap(([id, flag]) => {
    const value = values[id as keyof Values];
    return value === undefined ? [] : [flag, value];
  });
}

/** A number as people write it. All orders of magnitude are equally likely. */
function written(random: Random, low: number, high: number, units: readonly (readonly [string, number])[]): string {
  const value = low * (high / low) ** (random() / 2 ** 32);
  const [unit, factor] = units[below(random, units.length)] ?? ['', 1];
  return `${Number((value / factor).toPrecision(3))}${unit}`;
}

/** One to four values; a filter can have most of these combinations. */
function randomValues(random: Random): Values {
  const counted = written(random, 1, 1e10, [
    ['k', 1e3],
    ['M', 1e6],
    ['', 1],
  ]);
  const all = {
    n: /[kM]$/.test(counted) && !/\.\d{4,}/.test(counted) ? counted : String(Math.ceil(Number.parseFloat(counted))),
    p: written(random, 1e-9, 0.9, [
      ['%', 0.01],
      ['', 1],
    ]),
    m: written(random, 64, 1e10, [
      ['MB', 1e6],
      ['KiB', 1024],
      ['', 1],
    ]),
    k: String(1 + below(random, 20)),
  };
  const chosen =
    (['np', 'np', 'nm', 'nm', 'pm', 'npk', 'nmk', 'npm', 'n', 'p', 'k', ''] as const)[below(random, 12)] ?? '';
  return Object.fromEntries(Object.entries(all).filter(([id]) => chosen.includes(id)));
}

/** The rows of JSON, one per line. */
function numbersIn(json: string): Record<string, unknown>[] {
  return json.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** Whole numbers are equal. Browsers may compute logarithms and powers differently in the last digits. */
function aboutAsIn(row: Record<string, unknown>): Record<string, unknown> {
  const isRate = (value: unknown): value is number => typeof value === 'number' && !Number.isInteger(value);
  const about = (value: unknown) => (isRate(value) ? expect.closeTo(value, 9 - Math.log10(value)) : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, about(value)]));
}

/** What the page shows for each of several sets of values, typed one after the other. */
function shownFor(page: Page, all: readonly Values[]): Promise<{ json: string; error: string; warnings: string[] }[]> {
  return page.evaluate((all) => {
    const at = (id: string) => document.getElementById(id);
    return all.map((values) => {
      for (const id of ['n', 'p', 'm', 'k'] as const) Object.assign(at(id) ?? {}, { value: values[id] ?? '' });
      at('n')?.dispatchEvent(new Event('input', { bubbles: true }));
      const isShown = at('results')?.hidden === false;
      return {
        json: isShown ? (at('json')?.textContent ?? '') : '',
        error: at('error')?.textContent ?? '',
        warnings: isShown ? [...document.querySelectorAll('#warnings li')].map((item) => item.textContent ?? '') : [],
      };
    });
  }, all);
}

describe.skipIf(!HAS_CHROMIUM)('the page that sizes filters', () => {
  let browser: Browser;
  let page: Page;
  let folder = '';
  let elsewhere: string[] = [];
  /** Loads the page again, even if only the hash differs. */
  const opened = async (hash = '') => {
    await page.goto('about:blank');
    await page.goto(`${fileUrl(folder, 'index.html')}${hash}`);
  };

  beforeAll(async () => {
    folder = makeSite(path('site'));
    browser = await launch();
    page = await browser.newPage();
    elsewhere = requestsElsewhere(page, fileUrl(folder, ''));
  });
  afterAll(() => browser.close());

  test('is in a folder of at most 200 kB', () => {
    const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(`${folder}/${file}`).size, 0);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  test('has the numbers, the warnings and the errors of bloom size', async () => {
    await opened();
    const random = createRandom(31);
    const all = Array.from({ length: 1000 }, () => randomValues(random));
    const shown = await shownFor(page, all);
    let solved = 0;
    for (const [i, values] of all.entries()) {
      const { stdout, stderr, status } = await within(['size', '--json', '--kind', 'all', ...flagsOf(values)]);
      const { json = '', error = '', warnings = [] } = shown[i] ?? {};
      expect(numbersIn(json), JSON.stringify(values)).toEqual(numbersIn(stdout).map((row) => aboutAsIn(row)));
      if (status === 0) expect(stderr).toBe(warnings.map((warning) => `bloom: warning: ${warning}\n`).join(''));
      else expect(stderr).toContain(error.split(';')[0] ?? 'an error');
      expect(error === '').toBe(status === 0);
      solved += status === 0 ? 1 : 0;
    }
    expect(solved).toBeGreaterThan(800);
  });

  test('shows the table and the picture of bloom size', async () => {
    await opened('#n=3M&p=0.1%25');
    const { stdout } = await within(['size', '--kind', 'all', '-n', '3M', '-p', '0.1%']);
    const text = (await page.locator('#sizes tr').allInnerTexts()).map((row) => row.trim().split(/\s+/).join(' '));
    for (const row of text) expect(stdout.replaceAll(/ +/g, ' ')).toContain(row);
    expect(text).toHaveLength(9);
    await within(['size', '--kind', 'all', '-n', '3M', '-p', '0.1%', '--svg', 'size.svg']);
    const picture = readFileSync(path('size.svg'), 'utf8');
    const texts = (svg: string) =>
      [...svg.matchAll(/<text[^>]*>([^<]*)|points="([^"]*)/g)].map(([, one, other]) => one ?? other);
    expect(texts(picture).length).toBeGreaterThan(30);
    expect(texts(await page.locator('#curves').innerHTML()).join('\n') === texts(picture).join('\n')).toBe(true);
  });

  test('keeps the numbers in a link, and has the command for the chosen kind', async () => {
    await opened();
    await page.getByLabel('Keys, n').fill('2 k');
    await page.getByLabel('False-positive rate, p').fill('');
    await page.getByLabel('Size, m').fill('16KiB');
    await page.getByLabel('ribbon').check();
    const link = await page.getByLabel('Link that keeps the numbers').inputValue();
    await page.goto('about:blank');
    await page.goto(link);
    expect(await page.getByLabel('Keys, n').inputValue()).toBe('2 k');
    await page.getByLabel('ribbon').check();
    const line = await page.getByLabel('Command for the chosen kind').inputValue();
    expect(line).toBe('bloom build -n 2k --memory 16KiB --kind ribbon keys.txt -o keys.bloom');
    const rows = await page.locator('#json').textContent();
    const ribbon = rows?.split('\n').find((row) => row.includes('"ribbon"')) ?? '';
    const { stdout } = await within([
      'build',
      ...line.split(' ').slice(2, -3),
      '-e',
      'key',
      '-o',
      'keys.bloom',
      '--json',
    ]);
    const { bits, hashes, bytes } = JSON.parse(ribbon);
    expect(JSON.parse(stdout)).toMatchObject({ bits, hashes, bytes });
  });

  test('works with the keyboard alone', async () => {
    await opened('#');
    // The links of the header get the focus first.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    for (const text of ['5M', '2%']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel('Command for the chosen kind').inputValue()).toBe(
      'bloom build -n 5M -p 2% --kind blocked keys.txt -o keys.bloom',
    );
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('kind-1');
  });

  test.each(LOOKS)('has no findings of axe, and fits: $colorScheme, $width pixels', async ({ colorScheme, width }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const hash of ['#n=10M&p=1%25', '#n=x', '#']) {
      await opened(hash);
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  test('requests nothing from anybody else', () => expect(elsewhere).toEqual([]));
});
