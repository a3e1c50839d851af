import { looksUpSeveral } from '../engine/input/key-variants.ts';
import { mayBeSeveral } from '../engine/input/record-keys.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import { contentInFile } from '../engine/survey.ts';
import { inColour, leading } from '../engine/tasks/colours.ts';
import { recordsWithout, type Tally } from '../engine/tasks/tally.ts';
import { BloomError } from '../errors.ts';
import { expectedOf, type KeyRules } from '../formats/description.ts';
import { resultName } from '../io/look.ts';
import type { Sink } from '../io/sink.ts';
import { agreeing, count, plural } from '../quantities.ts';
import type { Messenger } from '../terminal/messages.ts';
import type { OpenedFilters } from './opened-filters.ts';
import { type QueryAnswers, selected } from './query-answers.ts';
import type { QueryOptions } from './query-options.ts';
import { type Answered, type ExpectedErrors, expectedAmong, rateTogether, summaryText } from './report/answers.ts';
import { describePart, keylessWarning, skippedText } from './report/content.ts';
import { jsonLine } from './report/json-line.ts';

/** The file name of keys given with -e, in the output. */
export const COMMAND_LINE = '-e';

/** Prints counts and the summary, and reports records without an answer. */
export function reportAnswers(
  options: QueryOptions,
  { tally, answered, faults }: QueryAnswers,
  opened: OpenedFilters,
  say: Messenger,
  sink: Sink,
): void {
  const { shows, style, summary, combination } = options;
  const { loaded, names } = opened;
  // If nothing was read, the counts of all filters are 0.
  const each = combination.named === 'none' ? undefined : (tally.each ?? names.map(() => 0));
  const all: Answered = { file: null, ...tally, ...(each && { each }) };
  const print = (lines: readonly string[]) => sink.write(Buffer.from(lines.join('')));
  if (shows === 'counts') print(countLines(style.named ? answered : [all], names, options));
  if (shows === 'files') print(fileLines(answered, options));
  warnOfSkipped(options, tally, loaded(), say);
  if (summary) sayExpected(options, all, opened, say);
  if (tally.elsewhere > 0) say.error(unanswered(loaded(), tally));
  // Several threads may have found the same fault.
  for (const { code, message, hint } of new Map(faults.map((fault) => [fault.filter, fault])).values())
    say.error(new BloomError(code, message, hint));
}

/** Prints how many of the positives are likely to be false. */
function sayExpected(
  { selection, combination: { needed }, style }: QueryOptions,
  all: Answered,
  { loaded, names }: OpenedFilters,
  say: Messenger,
): void {
  const rates = loaded().map(({ description, fills, name }) => contentInFile(description, fills(), name).predictedFpr);
  const isSeveral = mayBeSeveral(selection.keys) || looksUpSeveral(rulesOf(loaded()));
  const unit = unitOf(isSeveral, selection.needsAll || (needed === 'all' && rates.length > 1));
  const expected = expectedAmong(all, rateTogether(rates, needed), unit);
  say.note(style.json ? JSON.stringify(summaryJson(all, expected, names)) : summaryText(all, expected));
}

/**
 * The unit of the rate. If a record needs several keys, or a key needs several filters, only an upper bound is known.
 */
function unitOf(isSeveral: boolean, needsAll: boolean): ExpectedErrors['unit'] {
  if (needsAll) return 'filter';
  return isSeveral ? 'key' : undefined;
}

function rulesOf(loaded: readonly LoadedFilter[]): KeyRules[] {
  return loaded.map(({ description: { rules } }) => rules);
}

/** The error for records that belong to other parts of a filter. */
function unanswered(loaded: readonly LoadedFilter[], { elsewhere, records }: Tally): BloomError {
  const parts = loaded.flatMap(({ name, description: { shape } }) =>
    describePart(shape).map((part) => `${name} is only ${part} of a filter`),
  );
  const which = `${plural(elsewhere, 'record')} of ${count(records)} ${agreeing(elsewhere, 'belongs')} to other parts`;
  return new BloomError(
    'mismatch',
    `${parts.join(', ')}: ${which}, and ${agreeing(elsewhere, 'has')} no answer`,
    'query those parts, or join all parts with bloom merge',
  );
}

/** Warns about records without a valid key: the flags may be wrong. */
function warnOfSkipped(
  { selection, shows, maxCount }: QueryOptions,
  tally: Tally,
  loaded: readonly LoadedFilter[],
  say: Messenger,
): void {
  const { records, keys } = tally;
  const [expected, ...others] = new Set(loaded.map(({ description }) => expectedOf(description)));
  const isTyped = expected !== undefined && others.length === 0;
  // A record may have many keys, any of which may be invalid. An input that broke off is only partly known.
  const keyless =
    shows !== 'files' && maxCount === undefined && !isTyped
      ? keylessWarning(keys, { skipped: records, keys: selection.keys })
      : undefined;
  if (keyless !== undefined) {
    say.warning(`${keyless}: none can be in the set`);
    return;
  }
  const isKnown = !mayBeSeveral(selection.keys) && shows !== 'files' && maxCount === undefined;
  const skippedKeys = looksUpSeveral(rulesOf(loaded)) ? recordsWithout(tally) : records - keys;
  if (!isTyped || !isKnown || skippedKeys === 0) return;
  say.warning(`${skippedText({ skipped: skippedKeys, keys: selection.keys, expected })}, and cannot be in the set`);
}

/** The counts per file, or of all files together. With names of filters, the counts per filter. */
function countLines(answered: readonly Answered[], names: readonly string[], options: QueryOptions): string[] {
  const { json, named, colours, afterName } = options.style;
  const shown = (name: string) => resultName(name, options.style.escapesNames);
  return answered.flatMap((one) => {
    if (json) return [jsonLine(countsJson(one, names))];
    const file = named ? leading(shown(one.file ?? COMMAND_LINE), 'file', colours, afterName) : '';
    if (one.each === undefined) return [`${file}${selected(one, options)}\n`];
    return one.each.map((positives, i) => `${inColour(shown(names[i] ?? ''), 'file', colours)}\t${file}${positives}\n`);
  });
}

/** The names of the files with a selected record, or of those without one. */
function fileLines(answered: readonly Answered[], options: QueryOptions): string[] {
  const isListed = (one: Answered) =>
    options.listsOthers ? selected(one, options) === 0 && one.elsewhere === 0 : selected(one, options) > 0;
  const { json, colours, afterName } = options.style;
  const shown = (name: string | null) =>
    inColour(resultName(name ?? COMMAND_LINE, options.style.escapesNames), 'file', colours);
  const end = afterName === '\0' ? '\0' : '\n';
  return answered.filter(isListed).map(({ file }) => (json ? jsonLine({ file }) : `${shown(file)}${end}`));
}

// The answers of a query as JSON, with the names of JSON.md.

/** Counts of a query. If filters are counted separately, each filter has its counts. */
function countsJson({ file, records, keys, positives, elsewhere, each }: Answered, names: readonly string[] = []) {
  const perFilter = each?.map((positives, i) => ({ filter: names[i], positives }));
  return { file, records, keys, positives, elsewhere, ...(perFilter && { perFilter }) };
}

/** The summary of a query: counts and expected errors. */
function summaryJson(answered: Answered, { predictedFpr, falsePositives }: ExpectedErrors, names: readonly string[]) {
  return { ...countsJson(answered, names), predictedFpr, expectedFalsePositives: falsePositives };
}
