// The page that looks up keys, in a document without a browser, beside the command.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bytes, count, fixed, rate } from '../../src/quantities.ts';
import { fixture, scratch } from '../cli/run.ts';
import { type StaticServer, staticServer } from '../web/static-server.ts';
import { type OpenPage, openPage } from './document.ts';

const { path, within } = scratch();

let server: StaticServer;
beforeAll(async () => {
  server = await staticServer();
  await within(['build', '-n', '1M', '--segment-size', '16KiB', fixture('words.txt'), '-o', 'words.bloom']);
  server.files.set('/words.bloom', readFileSync(path('words.bloom')));
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

/** Waits until the page is as expected. */
const waitFor = (expected: () => void) => vi.waitFor(expected, { interval: 1 });

const fileOf = (name: string) => new File([readFileSync(path(name))], name);

/** Gives a file to the input of files. */
function choose(page: OpenPage, name: string) {
  Object.defineProperty(page.window.document.getElementById('file'), 'files', {
    value: [fileOf(name)],
    configurable: true,
  });
  page.send('file', 'change');
}

const facts = ({ texts }: OpenPage) => Object.fromEntries(texts('dt').map((name, i) => [name, texts('dd')[i]]));

async function shown(page: OpenPage, fact = 'predicted rate') {
  await waitFor(() => expect(page.text('opened') !== undefined && page.texts('dt').includes(fact)).toBe(true));
  return facts(page);
}

/** Sends a form, and waits for its answer. Returns the newest row, without the time. */
async function answerTo(page: OpenPage, form: string, told: RegExp) {
  const status = page.window.document.getElementById('status');
  if (status !== null) status.textContent = '';
  page.send(form, 'submit');
  await waitFor(() => expect(page.text('status')).toMatch(told));
  const cells = page.texts('#answers tbody tr:first-child > *');
  expect(cells.at(-1)).toMatch(/^\d+\.\d ms$/);
  return cells.slice(0, -1);
}

function lookUp(page: OpenPage, key: string) {
  page.value('key', key);
  return answerTo(page, 'one', new RegExp(`^${key}: `));
}

test.each(['bloom', 'cuckoo', 'ribbon'])(
  'reports on a file as stats does, and has the answers of the command: %s',
  async (kind) => {
    await within(['build', '--kind', kind, fixture('words.txt'), '-o', 'f.bloom', '--force']);
    const stats = JSON.parse((await within(['stats', '--json', '--probes', '0', 'f.bloom'])).stdout);
    const page = await openPage('look-up.html');
    expect(page.text('name')).toBeUndefined();
    choose(page, 'f.bloom');
    const info = await shown(page);
    expect(info).toEqual({
      kind,
      hash: 'xxh64',
      keys: 'text',
      added: `5,130 keys, for a capacity of ${count(stats.capacity)}`,
      size: `${bytes(stats.bytes)}, ${fixed(stats.bits / stats.capacity)} bits per key, k = ${stats.hashes}`,
      'a look-up reads': expect.stringMatching(/^\d.*B, one of 1 segment$/),
      'target rate': rate(stats.targetFpr),
      'predicted rate': rate(stats.predictedFpr),
      full: expect.stringMatching(new RegExp(`^${rate(stats.fillRatio)} of its \\w+$`)),
      'distinct keys': `about ${count(stats.estimatedItems)}`,
    });
    expect(page.text('name')).toBe('f.bloom');
    expect(await lookUp(page, 'walk')).toEqual(['walk', 'maybe present', '0', '0 B']);
    const packages = readFileSync(fixture('packages.txt'), 'utf8');
    page.value('list', `${packages}walk\r\n`);
    const keys = packages.split('\n').length;
    const selected = (await within(['query', 'f.bloom'], { stdin: `${packages}walk\n` })).stdout;
    const found = selected.split('\n').length - 1;
    const answer = await answerTo(page, 'many', /^\d.* keys: /);
    expect(answer).toEqual([`${count(keys)} keys`, `${count(found)} maybe present`, '0', '0 B']);
    expect(`${page.text('present')}\n`).toBe(selected);
    expect(page.text('present-title')).toBeDefined();
    // Without a present key there is no list.
    page.value('list', 'wlak\n');
    expect(await answerTo(page, 'many', /^1 key: /)).toEqual(['1 key', '0 maybe present', '0', '0 B']);
    expect([page.text('present'), page.text('present-title')]).toEqual([undefined, undefined]);
  },
);

test.each([
  [['--ignore-case', '--trim'], { keys: 'text, ignores case, trims spaces' }],
  [
    ['--ignore-case-unicode', '--seed', '7', '--hash', 'xxh3'],
    { keys: 'text, ignores the case of all letters', hash: 'xxh3, seed 7' },
  ],
  [['--key-hash', 'sha1'], { keys: 'text, hashed with sha1' }],
  [['--suffixes'], { keys: 'text, domain names and their parents' }],
  [['--prefixes'], { keys: 'text, networks, which contain addresses' }],
  [['-n', '2M', '--part', '2/3'], { kind: 'bloom, part 2/3' }],
] as const)('states the rules of keys: %j', async (flags, expected) => {
  const built = await within(['build', ...flags, '-', '-o', 'rules.bloom', '--force'], {
    stdin: '10.0.0.0/8\n192.168.0.0/16\n8.8.8.8\n1.1.1.1\n',
  });
  expect(built).toMatchObject({ status: 0 });
  const page = await openPage('look-up.html');
  choose(page, 'rules.bloom');
  expect(await shown(page, 'target rate')).toMatchObject(expected);
});

describe('a filter on a host', () => {
  test('is read as far as a key needs, or as a whole, and is in the link', async () => {
    const url = `${server.origin}/words.bloom`;
    const page = await openPage('look-up.html');
    page.value('url', url);
    server.requests();
    expect(page.send('address', 'submit').defaultPrevented).toBe(true);
    const stats = JSON.parse((await within(['stats', '--json', '--probes', '0', 'words.bloom'])).stdout);
    expect(await shown(page)).toMatchObject({
      'a look-up reads': '16.2 kB, one of 74 segments',
      'predicted rate': rate(stats.predictedFpr),
      full: `${rate(stats.fillRatio)} of its bits`,
    });
    expect(server.requests()).toBe(2);
    expect(page.text('name')).toBe(url);
    expect(await lookUp(page, 'walk')).toEqual(['walk', 'maybe present', '1', expect.stringMatching(/^16\.\d kB$/)]);
    expect(server.requests()).toBe(1);
    expect(await lookUp(page, 'walk')).toEqual(['walk', 'maybe present', '0', '0 B']);
    expect(new URLSearchParams(page.window.location.hash.slice(1)).get('url')).toBe(url);
    const linked = await openPage('look-up.html', page.window.location.hash);
    await shown(linked);
    expect(linked.value('url')).toBe(url);
    (linked.window.document.getElementById('whole') as unknown as HTMLInputElement).checked = true;
    linked.send('address', 'submit');
    // What the last file showed is gone.
    expect(linked.text('opened')).toBeUndefined();
    await shown(linked);
    server.requests();
    expect(await lookUp(linked, 'walk')).toEqual(['walk', 'maybe present', '0', '0 B']);
    expect(server.requests()).toBe(0);
  });

  test('shows its fill when it is asked for, if its table is large', async () => {
    await within(['build', '-n', '15M', '--segment-size', '4KiB', fixture('words.txt'), '-o', 'large.bloom']);
    const page = await openPage('look-up.html');
    choose(page, 'large.bloom');
    expect(await shown(page, 'target rate')).not.toHaveProperty('full');
    expect(page.text('fill')).toMatch(/^Read its fill and its rate \(\d+(\.\d)? kB\)$/);
    page.click('fill');
    expect(await shown(page)).toHaveProperty('full');
    expect(page.text('fill')).toBeUndefined();
  });
});

test('shows errors that a user can act on, until the next file', async () => {
  const page = await openPage('look-up.html');
  page.send('address', 'submit');
  await waitFor(() => expect(page.text('error')).toBe('the empty text is not a URL; write it whole, with https://'));
  page.value('url', `${server.origin}/none`);
  page.send('address', 'submit');
  await waitFor(() => expect(page.text('error')).toContain('the server answered with status 404'));
  choose(page, 'words.bloom');
  await shown(page);
  expect(page.text('error')).toBe('');
  Object.defineProperty(page.window.document.getElementById('file'), 'files', {
    value: [new File(['no filter'], 'words.txt')],
    configurable: true,
  });
  page.send('file', 'change');
  await waitFor(() => expect(page.text('error')).toMatch(/^words\.txt is not a filter/));
  expect(page.text('opened')).toBeUndefined();
  // Without a filter, nothing is looked up.
  page.value('key', 'walk');
  page.send('one', 'submit');
  expect(page.texts('#answers tbody tr')).toEqual([]);
});

test('keeps the latest 100 answers, and shows up to 1,000 present keys of a list from a file', async () => {
  const page = await openPage('look-up.html');
  choose(page, 'words.bloom');
  await shown(page);
  for (let i = 0; i < 101; i++) await lookUp(page, `key${i}`);
  // The answer is a word, and the cells after it are numbers.
  expect(page.texts('#answers tbody tr:first-child td.left')).toHaveLength(1);
  expect(page.texts('#answers tbody tr:first-child td:first-of-type.left')).toHaveLength(1);
  expect(page.texts('#answers tbody th')).toEqual(Array.from({ length: 100 }, (_, i) => `key${100 - i}`));
  const words = readFileSync(fixture('words.txt'), 'utf8');
  Object.defineProperty(page.window.document.getElementById('list-file'), 'files', {
    value: [new File([words], 'words')],
  });
  const [keys] = await answerTo(page, 'many', /^5,130 keys: /);
  expect(keys).toBe('5,130 keys');
  expect(page.text('present')).toBe(`${words.split('\n').slice(0, 1000).join('\n')}\n…`);
  // Another file begins anew.
  choose(page, 'words.bloom');
  await waitFor(() => expect(page.texts('#answers tbody tr')).toEqual([]));
  await waitFor(() => expect(page.text('status')).toBe(''));
  expect(page.text('present')).toBeUndefined();
});

test('takes a file that is dropped', async () => {
  const page = await openPage('look-up.html');
  const isOver = () => page.window.document.getElementById('drop')?.classList.contains('over');
  for (const [type, over] of [
    ['dragenter', true],
    ['dragover', true],
    ['dragleave', false],
    ['dragover', true],
  ] as const) {
    expect(page.send('drop', type).defaultPrevented).toBe(true);
    expect(isOver(), type).toBe(over);
  }
  // Something else than a file.
  page.send('drop', 'drop', { dataTransfer: { files: [] } });
  expect(isOver()).toBe(false);
  expect(page.send('drop', 'dragover', { dataTransfer: { files: [fileOf('words.bloom')] } }).defaultPrevented).toBe(
    true,
  );
  expect(page.text('opened')).toBeUndefined();
  page.send('drop', 'drop', { dataTransfer: { files: [fileOf('words.bloom')] } });
  await shown(page);
  expect(page.text('name')).toBe('words.bloom');
});
