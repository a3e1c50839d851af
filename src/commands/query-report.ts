import { mayBeSeveral } from '../engine/input/record-keys.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import { contentInFile } from '../engine/survey.ts';
import { inColour, leading } from '../engine/tasks/colours.ts';
import type { Tally } from '../engine/tasks/tally.ts';
import { BloomError } from '../errors.ts';
import { resultName } from '../io/look.ts';
import type { Sink } from '../io/sink.ts';
import { count, plural } from '../quantities.ts';
import type { Messenger } from '../terminal/messages.ts';
import type { OpenedFilters } from './opened-filters.ts';
import { type QueryAnswers, selected } from './query-answers.ts';
import type { QueryOptions } from './query-options.ts';
import { type Answered, type ExpectedErrors, expectedAmong, rateTogether, summaryText } from './report/answers.ts';
import { countsJson, summaryJson } from './report/answers-json.ts';
import { describePart, keylessWarning, whatIsSkipped } from './report/content.ts';
import { jsonLine } from './report/json-line.ts';

/** Stands for the file of keys that were given with -e, where records or counts are printed with it. */
export const COMMAND_LINE = '-e';

/** Prints what was counted, sums up, and says what was not answered. */
export function reportAnswers(
  options: QueryOptions,
  { tally, answered, faults }: QueryAnswers,
  opened: OpenedFilters,
  say: Messenger,
  sink: Sink,
): void {
  const { shows, style, summary, combination } = options;
  const { loaded, names } = opened;
  // If nothing was read, no filter has a record.
  const each = combination.named === 'none' ? undefined : (tally.each ?? names.map(() => 0));
  const all: Answered = { file: null, ...tally, ...(each && { each }) };
  const print = (lines: readonly string[]) => sink.write(Buffer.from(lines.join('')));
  if (shows === 'counts') print(countLines(style.named ? answered : [all], names, options));
  if (shows === 'files') print(fileLines(answered, options));
  warnOfSkipped(options, tally, loaded(), say);
  if (summary) sayExpected(options, all, opened, say);
  if (tally.elsewhere > 0) say.error(unanswered(loaded(), tally));
  // Each thread may have come upon the same.
  for (const { code, message, hint } of new Map(faults.map((fault) => [fault.filter, fault])).values())
    say.error(new BloomError(code, message, hint));
}

/** Says how many of the positives are likely to be false. */
function sayExpected(
  { selection, combination: { needed }, style }: QueryOptions,
  all: Answered,
  { loaded, names }: OpenedFilters,
  say: Messenger,
): void {
  const rates = loaded().map(({ description, fills, name }) => contentInFile(description, fills(), name).predictedFpr);
  const unit = unitOf(selection, needed === 'all' && rates.length > 1);
  const expected = expectedAmong(all, rateTogether(rates, needed), unit);
  say.note(style.json ? JSON.stringify(summaryJson(all, expected, names)) : summaryText(all, expected));
}

/** What the rate is a rate of. If a record needs several keys, or a key several filters, there is only an upper bound. */
function unitOf({ keys, needsAll }: QueryOptions['selection'], needsFilters: boolean): ExpectedErrors['unit'] {
  if (needsFilters || needsAll) return 'filter';
  return mayBeSeveral(keys) ? 'key' : undefined;
}

/** The error for records of which parts of filters know nothing. */
function unanswered(loaded: readonly LoadedFilter[], { elsewhere, records }: Tally): BloomError {
  const parts = loaded.flatMap(({ name, description: { shape } }) =>
    describePart(shape).map((part) => `${name} is only ${part} of a filter`),
  );
  const which = `${plural(elsewhere, 'record')} of ${count(records)} ${elsewhere === 1 ? 'belongs' : 'belong'} to other parts`;
  return new BloomError(
    'mismatch',
    `${parts.join(', ')}: ${which}, and ${elsewhere === 1 ? 'has' : 'have'} no answer`,
    'query those parts, or join all parts with bloom merge',
  );
}

/** Says that records cannot be in the set because they are not what its keys are: that may not be what was meant. */
function warnOfSkipped(
  { selection, shows, maxCount }: QueryOptions,
  { records, keys }: Tally,
  loaded: readonly LoadedFilter[],
  say: Messenger,
): void {
  const [keyType, ...others] = new Set(loaded.map(({ description }) => description.keyType));
  const isTyped = keyType !== undefined && others.length === 0;
  // Of many keys of a record any may be no such value, and of inputs that were not read to their ends not all is known.
  const keyless =
    shows !== 'files' && maxCount === undefined && !isTyped
      ? keylessWarning(keys, { skipped: records, keys: selection.keys })
      : undefined;
  if (keyless !== undefined) {
    say.warning(`${keyless}: none can be in the set`);
    return;
  }
  const isKnown = !mayBeSeveral(selection.keys) && shows !== 'files' && maxCount === undefined;
  if (!isTyped || !isKnown || keys === records) return;
  say.warning(`${whatIsSkipped({ skipped: records - keys, keys: selection.keys, keyType })}, and cannot be in the set`);
}

/** The counts of each file, or of all of them; with the names of filters, the counts of each filter. */
function countLines(answered: readonly Answered[], names: readonly string[], options: QueryOptions): string[] {
  const { json, named, colours, behindName } = options.style;
  const shown = (name: string) => resultName(name, options.style.escapesNames);
  return answered.flatMap((one) => {
    if (json) return [jsonLine(countsJson(one, names))];
    const file = named ? leading(shown(one.file ?? COMMAND_LINE), 'file', colours, behindName) : '';
    if (one.each === undefined) return [`${file}${selected(one, options)}\n`];
    return one.each.map((positives, i) => `${inColour(shown(names[i] ?? ''), 'file', colours)}\t${file}${positives}\n`);
  });
}

/** The names of the files with a selected record, or of the files without one. */
function fileLines(answered: readonly Answered[], options: QueryOptions): string[] {
  const isListed = (one: Answered) =>
    options.listsOthers ? selected(one, options) === 0 && one.elsewhere === 0 : selected(one, options) > 0;
  const { json, colours, behindName } = options.style;
  const shown = (name: string | null) =>
    inColour(resultName(name ?? COMMAND_LINE, options.style.escapesNames), 'file', colours);
  const end = behindName === '\0' ? '\0' : '\n';
  return answered.filter(isListed).map(({ file }) => (json ? jsonLine({ file }) : `${shown(file)}${end}`));
}
