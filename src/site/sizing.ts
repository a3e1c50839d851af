// The page that sizes filters: the output of `bloom size --kind all`, computed by the same functions.

import { sizeableKind } from '../commands/kind-rows.ts';
import { COMPARISON, KIND, type Row, rowJson } from '../commands/report/row.ts';
import { sizePlots } from '../commands/report/size-plots.ts';
import { rowsFor, type Sized } from '../commands/size-rows.ts';
import { BloomError } from '../errors.ts';
import { KINDS } from '../filters/registry.ts';
import { fileBytes } from '../formats/bloomery/header.ts';
import { countBetween, parseCount, parseRate, parseSize, Unreadable } from '../options/numbers.ts';
import { plotsSvg } from '../plots/svg.ts';
import { ratesLike } from '../quantities.ts';
import { K_LIMIT } from '../sizing/bloom.ts';
import type { Constraints } from '../sizing/solve.ts';
import { element, made } from './page.ts';

interface Field {
  /** The id of the input, and the name in a link. */
  readonly id: string;
  readonly flag: string;
  readonly constraint: 'items' | 'fpr' | 'bits' | 'k';
  readonly parse: (text: string) => number;
}

const FIELDS: readonly Field[] = [
  { id: 'n', flag: '-n', constraint: 'items', parse: parseCount },
  { id: 'p', flag: '-p', constraint: 'fpr', parse: parseRate },
  { id: 'm', flag: '--memory', constraint: 'bits', parse: parseSize },
  { id: 'k', flag: '-k', constraint: 'k', parse: countBetween(1, K_LIMIT) },
];

const FORMAT = { name: 'bloomery', fileBytes };
const SIZEABLES = KINDS.map((kind) => sizeableKind(kind, FORMAT));

/** Bytes of a stored key. The page shows no column that needs them. */
const KEY_BYTES = 64;

const error = element('error', HTMLElement);
const results = element('results', HTMLElement);
const table = element('sizes', HTMLTableElement);
const line = element('line', HTMLInputElement);
const copied = element('copied', HTMLElement);

/** The kind in the command to copy. It does not change with the numbers. */
let chosen: string = KINDS[0].name;

function inputOf({ id }: Field): HTMLInputElement {
  return element(id, HTMLInputElement);
}

/** A typed value without surrounding spaces. */
function typed(field: Field): string {
  return inputOf(field).value.trim();
}

/** The numbers in the inputs. Throws a `usage` error for a text that is not a number. */
function constraints(): Constraints {
  const stated: Partial<Record<Field['constraint'], number>> = {};
  for (const field of FIELDS) {
    const text = typed(field);
    inputOf(field).setAttribute('aria-invalid', 'false');
    if (text === '') continue;
    try {
      stated[field.constraint] = field.parse(text);
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause;
      inputOf(field).setAttribute('aria-invalid', 'true');
      throw new BloomError('usage', `${field.id}: ${cause.message}`);
    }
  }
  return { ...stated, ...(stated.bits !== undefined && { bitsFlag: '--memory' }) };
}

function show(): void {
  keep();
  copied.textContent = '';
  try {
    const sized: Sized = {
      sizeables: SIZEABLES,
      isChoice: true,
      constraints: [constraints()],
      headroom: undefined,
    };
    const { rows, warnings, isTable } = rowsFor(sized);
    error.textContent = '';
    results.hidden = false;
    showTable(rows, isTable);
    element('warnings', HTMLElement).replaceChildren(...warnings.map((warning) => made('li', warning)));
    // The text of the picture is already escaped.
    element('curves', HTMLElement).innerHTML = plotsSvg(sizePlots(rows, sized, !isTable));
    element('json', HTMLElement).textContent = rows.map((row) => `${JSON.stringify(rowJson(row, false))}\n`).join('');
  } catch (cause) {
    if (!(cause instanceof BloomError)) throw cause;
    error.textContent = cause.hint === undefined ? cause.message : `${cause.message}; ${cause.hint}`;
    results.hidden = true;
  }
}

function showTable(rows: readonly Row[], isTable: boolean): void {
  const columns = [KIND, ...COMPARISON];
  const head = columns.map(({ column: { title, align } }) =>
    made('th', title, { scope: 'col', ...(align === 'left' && { class: 'left' }) }),
  );
  element('sizes', HTMLTableElement).tHead?.replaceChildren(made('tr', head));
  const rateText = ratesLike(rows.flatMap(({ plan }) => [plan.fpr, plan.predictedFpr]));
  const isChosen = rows.find(({ name }) => name === chosen) ?? rows[0];
  const lines = rows.map((row, i) => {
    const radio = made('input', [], { type: 'radio', name: 'kind', id: `kind-${i}` });
    radio.checked = row === isChosen;
    radio.addEventListener('change', () => {
      chosen = row.name;
      line.value = buildLine(row, isTable);
    });
    const [, ...others] = columns.map(({ of, column: { align } }) =>
      made('td', of({ row, rateText, keyBytes: KEY_BYTES }), align === 'left' ? { class: 'left' } : {}),
    );
    const name = made('th', [radio, made('label', ` ${row.name}`, { for: radio.id })], { scope: 'row' });
    return made('tr', [name, ...others]);
  });
  table.tBodies[0]?.replaceChildren(...lines);
  if (isChosen !== undefined) line.value = buildLine(isChosen, isTable);
}

/**
 * The command that builds the filter of a row. In a table of rates, the numbers of a row are not those that were typed.
 */
function buildLine({ name, plan }: Row, isTable: boolean): string {
  const flags = isTable
    ? ['-n', String(plan.items), '-p', String(plan.fpr)]
    : FIELDS.flatMap((field) => (typed(field) === '' ? [] : [field.flag, typed(field).replaceAll(/\s/g, '')]));
  const kind = name === KINDS[0].name ? [] : ['--kind', name];
  return ['bloom', 'build', ...flags, ...kind, 'keys.txt', '-o', 'keys.bloom'].join(' ');
}

/** Stores the numbers in the address after #, which browsers never send to a server. */
function keep(): void {
  const stated = FIELDS.filter((field) => typed(field) !== '').map((field) => [field.id, typed(field)]);
  const address = new URL(location.href);
  address.hash = new URLSearchParams(stated).toString();
  history.replaceState(null, '', address);
  element('link', HTMLInputElement).value = address.href;
}

/** Reads the numbers from the address. */
function restore(): void {
  const stated = new URLSearchParams(location.hash.slice(1));
  for (const field of FIELDS) inputOf(field).value = stated.get(field.id) ?? '';
}

async function copy(): Promise<void> {
  try {
    await navigator.clipboard.writeText(line.value);
    copied.textContent = ' Copied.';
  } catch {
    line.select();
    copied.textContent = ' Selected: copy it with the keyboard.';
  }
}

element('values', HTMLFormElement).addEventListener('input', show);
element('values', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
element('copy', HTMLButtonElement).addEventListener('click', () => void copy());
window.addEventListener('hashchange', () => {
  restore();
  show();
});
if (location.hash === '') {
  for (const field of FIELDS.slice(0, 2)) inputOf(field).value = inputOf(field).placeholder;
} else {
  restore();
}
show();
