// The page that sizes filters, in a document without a browser, beside the command.

import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { scratch } from '../cli/run.ts';
import { type OpenPage, openPage } from './document.ts';

const { path, within } = scratch();

afterAll(() => vi.unstubAllGlobals());

const IDS = ['n', 'p', 'm', 'k'] as const;
const FLAGS = { n: '-n', p: '-p', m: '--memory', k: '-k' } as const;

function type(page: OpenPage, values: Readonly<Partial<Record<(typeof IDS)[number], string>>>) {
  for (const id of IDS) page.value(id, values[id] ?? '');
  page.send('n', 'input');
}

test('has the numbers, the warnings and the errors of bloom size', async () => {
  const page = await openPage('index.html', '#n=x');
  for (const values of [
    {},
    { n: '10M', p: '1%', k: '3' },
    { m: '4KiB', n: '1000' },
    { n: 'x', p: '1%' },
    { n: '10', p: '1%', m: '1' },
    { n: '5', p: '1%', k: '65' },
  ]) {
    type(page, values);
    const shown = JSON.stringify(values);
    const flags = Object.entries(values).flatMap(([id, value]) => [FLAGS[id as keyof typeof FLAGS], value]);
    const { stdout, stderr, status } = await within(['size', '--json', '--kind', 'all', ...flags]);
    const isInvalid = (id: string) => page.window.document.getElementById(id)?.getAttribute('aria-invalid') === 'true';
    const wrong = IDS.filter(isInvalid);
    if (status === 0) {
      expect(page.text('error'), shown).toBe('');
      expect(page.text('json'), shown).toBe(stdout);
      const warnings = page.texts('#warnings li').map((warning) => `bloom: warning: ${warning}\n`);
      expect(warnings.join(''), shown).toBe(stderr);
      expect(wrong, shown).toEqual([]);
      continue;
    }
    const [error = '', hint] = (page.text('error') ?? '').split('; ');
    // The command names the flag, and the page its input.
    const [, id, message = error] = /^(\w): (.*)$/.exec(error) ?? [];
    expect(message, shown).not.toBe('');
    expect(stderr, shown).toContain(message);
    if (hint !== undefined) expect(stderr, shown).toContain(hint);
    expect(wrong, shown).toEqual(id === undefined ? [] : [id]);
    expect(page.text('results'), shown).toBeUndefined();
  }
});

test('shows the table and the picture of bloom size, and the kind that is chosen', async () => {
  const page = await openPage('index.html', '#n=3M&p=0.1%25');
  const { stdout } = await within(['size', '--kind', 'all', '-n', '3M', '-p', '0.1%']);
  const cells = (row: number) => page.texts(`#sizes tbody tr:nth-child(${row}) > *`).map((cell) => cell.trim());
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
  const head = page.texts('#sizes thead th');
  expect(lines.find(([first]) => first === head[0])).toEqual(head);
  const names = page.texts('#sizes tbody th').map((name) => name.trim());
  expect(names).toHaveLength(8);
  for (const [i, name] of names.entries()) expect(lines.find(([first]) => first === name)).toEqual(cells(i + 1));
  await within(['size', '--kind', 'all', '-n', '3M', '-p', '0.1%', '--svg', 'size.svg']);
  const picture = readFileSync(path('size.svg'), 'utf8');
  // The document cannot parse a style sheet inside a picture.
  let curves = '';
  Object.defineProperty(page.window.document.getElementById('curves'), 'innerHTML', {
    set(svg: string) {
      curves = svg;
    },
  });
  page.send('n', 'input');
  expect(curves === picture).toBe(true);
  const radios = [...page.window.document.querySelectorAll('#sizes input')] as unknown as HTMLInputElement[];
  expect(radios.map(({ checked }) => checked)).toEqual(names.map((_, i) => i === 0));
  expect(page.value('line')).toBe('bloom build -n 3M -p 0.1% keys.txt -o keys.bloom');
  const [, second] = radios;
  if (second === undefined) throw new Error('there is one kind');
  second.checked = true;
  page.send(second.id, 'change');
  expect(page.value('line')).toBe(`bloom build -n 3M -p 0.1% --kind ${names[1]} keys.txt -o keys.bloom`);
  // The kind stays chosen with other numbers.
  type(page, { n: '2 k', m: '16KiB' });
  expect(page.value('line')).toBe(`bloom build -n 2k --memory 16KiB --kind ${names[1]} keys.txt -o keys.bloom`);
});

test('a table of rates has the numbers of its rows in the command', async () => {
  const page = await openPage('index.html', '#n=1M');
  const [row] = (page.text('json') ?? '').split('\n').map((line) => JSON.parse(line || 'null'));
  expect(page.value('line')).toBe(`bloom build -n ${row.capacity} -p ${row.targetFpr} keys.txt -o keys.bloom`);
});

describe('the address', () => {
  const hashOf = ({ window }: OpenPage) => new URLSearchParams(window.location.hash.slice(1));

  test('keeps the numbers that are typed, and the link is the address', async () => {
    const page = await openPage('index.html');
    // Without numbers in the address, the first two are examples.
    expect(Object.fromEntries(hashOf(page))).toEqual({ n: page.value('n'), p: page.value('p') });
    expect([page.value('n'), page.value('p'), page.value('m')]).toEqual(['10M', '1%', '']);
    type(page, { n: ' 2 k ', k: '4' });
    expect(Object.fromEntries(hashOf(page))).toEqual({ n: '2 k', k: '4' });
    expect(page.value('link')).toBe(page.window.location.href);
  });

  test('sets the numbers, at first and when it changes', async () => {
    const page = await openPage('index.html', '#n=5&m=1KiB');
    expect(IDS.map((id) => page.value(id))).toEqual(['5', '', '1KiB', '']);
    page.window.location.hash = '#p=0.1&n=7';
    page.window.dispatchEvent(new page.window.Event('hashchange'));
    expect(IDS.map((id) => page.value(id))).toEqual(['7', '0.1', '', '']);
    expect(page.value('line')).toContain('-n 7 -p 0.1 ');
  });
});

test('copies the command, or selects it where the clipboard is not allowed', async () => {
  const page = await openPage('index.html', '#n=5&p=1%25');
  const copied: string[] = [];
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  page.click('copy');
  await vi.waitFor(() => expect(page.text('copied')).toBe(' Copied.'));
  expect(copied).toEqual([page.value('line')]);
  page.send('n', 'input');
  expect(page.text('copied')).toBe('');
  vi.stubGlobal('navigator', { clipboard: { writeText: async () => Promise.reject(new Error('not allowed')) } });
  page.click('copy');
  await vi.waitFor(() => expect(page.text('copied')).toBe(' Selected: copy it with the keyboard.'));
  const line = page.window.document.getElementById('line') as unknown as HTMLInputElement;
  expect([line.selectionStart, line.selectionEnd]).toEqual([0, line.value.length]);
});

test('the form is never sent', async () => {
  const page = await openPage('index.html');
  expect(page.send('values', 'submit').defaultPrevented).toBe(true);
});
