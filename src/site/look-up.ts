// The page that looks up keys in a filter: a file of the user, or a file on a host.

import { BloomError } from '../errors.ts';
import { kindWithId } from '../filters/registry.ts';
import { decodeHeader, HEADER_BYTES } from '../formats/bloomery/header.ts';
import { bytes, count, fixed, plural, rate } from '../quantities.ts';
import { openFile, type WebFilterFile } from '../web/file.ts';
import type { WebFilter, WebSource } from '../web/filter.ts';
import { xxh64 } from '../web/hashes/xxh64.ts';
import { filterOf, sourceOf } from '../web/open.ts';
import * as parts from '../web/parts/index.ts';
import { wordAt } from '../web/words.ts';
import { element, made } from './page.ts';

/** Bytes of the segments that are kept. */
const CACHE_BYTES = 256 * 2 ** 20;

/** The most bytes of a table that the page reads without a click of the user. */
const TABLE_BYTES = 64 * 1024;

/** The most rows of answers, and the most keys of a list that are shown. */
const MOST_ROWS = 100;
const MOST_KEYS = 1000;

interface Opened {
  readonly name: string;
  readonly filter: WebFilter;
  readonly file: WebFilterFile;
}

let opened: Opened | undefined;

const error = element('error', HTMLElement);
const status = element('status', HTMLElement);
const answers = element('answers', HTMLTableElement);

/** Does something. Shows its error if the user can act on it. */
async function attempt(work: () => Promise<void>): Promise<void> {
  error.textContent = '';
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof BloomError)) throw cause;
    error.textContent = cause.hint === undefined ? cause.message : `${cause.message}; ${cause.hint}`;
  }
}

async function open(given: WebSource): Promise<void> {
  opened?.filter.close();
  opened = undefined;
  element('opened', HTMLElement).hidden = true;
  const source = sourceOf(given, { whole: element('whole', HTMLInputElement).checked });
  const file = await openFile(source);
  opened = {
    name: source.name,
    filter: filterOf(file, source.traffic, { cacheBytes: CACHE_BYTES, with: Object.values(parts) }),
    file,
  };
  answers.tBodies[0]?.replaceChildren();
  showPresent([]);
  status.textContent = '';
  element('name', HTMLElement).textContent = source.name;
  element('opened', HTMLElement).hidden = false;
  const tableBytes = file.header.tableBytes;
  const button = element('fill', HTMLButtonElement);
  button.hidden = tableBytes <= TABLE_BYTES;
  button.textContent = `Read its fill and its rate (${bytes(tableBytes)})`;
  showFacts(opened);
  if (button.hidden) await showFill();
}

/** The facts in the header. */
function showFacts({ filter }: Opened, more: readonly (readonly [string, string])[] = []): void {
  const info = filter.info();
  const rules = [
    info.ignoreCase ? (info.ignoreCase === 'unicode' ? 'ignores the case of all letters' : 'ignores case') : [],
    info.trim ? 'trims spaces' : [],
    info.keyHash === null ? [] : `hashed with ${info.keyHash}`,
    info.keyType === 'domain' ? 'domain names and their parents' : [],
    info.keyType === 'network' ? 'networks, which contain addresses' : [],
  ].flat();
  const facts: (readonly [string, string])[] = [
    ['kind', info.part === null ? info.kind : `${info.kind}, part ${info.part}`],
    ['hash', info.seed === 0n ? info.hash : `${info.hash}, seed ${info.seed}`],
    ['keys', rules.length === 0 ? 'text' : `text, ${rules.join(', ')}`],
    ['added', `${plural(info.inserted, 'key')}, for a capacity of ${count(info.capacity)}`],
    ['size', `${bytes(info.bytes)}, ${fixed(info.bits / info.capacity)} bits per key, k = ${info.hashes}`],
    ['a look-up reads', `${bytes(info.pageBytes)}, one of ${plural(info.segments, 'segment')}`],
    ['target rate', rate(info.targetFpr)],
    ...more,
  ];
  const nodes = facts.flatMap(([name, value]) => [made('dt', name), made('dd', value)]);
  element('facts', HTMLElement).replaceChildren(...nodes);
}

/** The facts in the table, computed by the functions of `bloom stats`. */
async function showFill(): Promise<void> {
  const of = opened;
  if (of === undefined) return;
  const table = await of.file.table();
  const header = await decodeHeader(of.file.head.subarray(0, HEADER_BYTES), of.name, (bytes) => xxh64(bytes, 0n));
  const kind = kindWithId(header.kind, of.name);
  const fill = Array.from({ length: header.segments }, (_, i) => kind.unpackFill(Number(wordAt(table, 16 * i + 8))));
  // There are never more distinct keys than keys.
  const distinct = Math.min(kind.itemsFromFill(fill, header).count, of.filter.info().inserted);
  element('fill', HTMLElement).hidden = true;
  showFacts(of, [
    ['predicted rate', rate(kind.rateFromFill(fill, header))],
    ['full', `${rate(kind.fillRatio(fill, header))} of its ${kind.units}`],
    ['distinct keys', `about ${count(distinct)}`],
  ]);
}

/** Looks up keys. Adds a row with their cost in requests and bytes. */
async function lookUp<T>(
  shown: string,
  ask: (filter: WebFilter) => Promise<T>,
  told: (answer: T) => string,
): Promise<T | undefined> {
  const { filter } = opened ?? {};
  if (filter === undefined) return undefined;
  const before = filter.traffic();
  const start = performance.now();
  const answer = await ask(filter);
  const time = performance.now() - start;
  const after = filter.traffic();
  const cells = [
    told(answer),
    count(after.requests - before.requests),
    bytes(after.bytes - before.bytes),
    `${time.toFixed(1)} ms`,
  ];
  const row = made('tr', [
    made('th', shown, { scope: 'row', class: 'key' }),
    ...cells.map((cell, i) => made('td', cell, i === 0 ? { class: 'left' } : {})),
  ]);
  const [body] = answers.tBodies;
  body?.prepend(row);
  while ((body?.childElementCount ?? 0) > MOST_ROWS) body?.lastElementChild?.remove();
  status.textContent = `${shown}: ${told(answer)}`;
  return answer;
}

async function lookUpList(): Promise<void> {
  const [file] = element('list-file', HTMLInputElement).files ?? [];
  const text = file === undefined ? element('list', HTMLTextAreaElement).value : await file.text();
  const keys = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const found = await lookUp(
    plural(keys.length, 'key'),
    (filter) => filter.hasMany(keys),
    (answers) => `${count(answers.filter((answer) => answer).length)} maybe present`,
  );
  showPresent(keys.filter((_, i) => found?.[i]));
}

function showPresent(keys: readonly string[]): void {
  const list = element('present', HTMLElement);
  list.textContent = keys.slice(0, MOST_KEYS).join('\n') + (keys.length > MOST_KEYS ? '\n…' : '');
  for (const id of ['present', 'present-title']) element(id, HTMLElement).hidden = keys.length === 0;
}

function onSubmit(id: string, work: () => Promise<void>): void {
  element(id, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(work);
  });
}

async function openAddress(): Promise<void> {
  const { value } = element('url', HTMLInputElement);
  if (!URL.canParse(value))
    throw new BloomError('usage', `${value || 'the empty text'} is not a URL`, 'write it whole, with https://');
  const page = new URL(location.href);
  page.hash = new URLSearchParams({ url: value }).toString();
  history.replaceState(null, '', page);
  await open(value);
}

onSubmit('address', openAddress);
onSubmit('one', async () => {
  const { value } = element('key', HTMLInputElement);
  await lookUp(
    value,
    (filter) => filter.has(value),
    (found) => (found ? 'maybe present' : 'absent'),
  );
});
onSubmit('many', lookUpList);
element('fill', HTMLButtonElement).addEventListener('click', () => void attempt(showFill));
element('file', HTMLInputElement).addEventListener('change', ({ target }) => {
  const [file] = target instanceof HTMLInputElement ? (target.files ?? []) : [];
  if (file !== undefined) void attempt(() => open(file));
});

const drop = element('drop', HTMLElement);
for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) {
  drop.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', type === 'dragenter' || type === 'dragover');
    const file = type === 'drop' ? event.dataTransfer?.files[0] : undefined;
    if (file !== undefined) void attempt(() => open(file));
  });
}

const linked = new URLSearchParams(location.hash.slice(1)).get('url');
if (linked !== null) {
  element('url', HTMLInputElement).value = linked;
  void attempt(openAddress);
}
