import { readFileSync } from 'node:fs';
import { attempt, BloomError, cannotRead, OutdatedCopy } from '../errors.ts';
import type { Opening } from '../formats/opening.ts';
import { displayName, isUrl } from '../io/look.ts';
import type { ServerFile } from '../io/remote/open-remote.ts';
import { isHeader, requireOther } from '../io/request-headers.ts';
import type { HeaderSource } from '../options/flags/filter.ts';
import { type OpeningFlags, openingOf } from '../options/opening.ts';
import type { ListFlags } from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import type { ExitCode } from './command.ts';

/**
 * The opening that flags state for filters at these locations. With `mayHaveMore`, lists name further filters. Headers go only to the
 * server of the first URL. Throws `usage` errors, and `input` errors for headers that cannot be read.
 */
export function openingAt(raw: OpeningFlags, places: readonly string[], mayHaveMore = false): Opening {
  const url = places.find(isUrl);
  if (url === undefined && !mayHaveMore) refuseUnused(raw, ['timeout', 'httpHeader'], 'no filter is a URL');
  const { httpHeader: sources = [] } = raw;
  if (sources.length === 0) return openingOf(raw);
  if (url === undefined || !URL.canParse(url))
    throw new BloomError(
      'usage',
      '--http-header needs to know its server',
      'name a filter by its URL on the command line',
    );
  const values = Object.assign({}, ...sources.map((source) => readHeaders(source, process.env)));
  return { ...openingOf(raw), headers: { origin: new URL(url).origin, values } };
}

/**
 * Opens the file of a query at a URL. If the local copy proves to be outdated, it is removed and `work` is repeated: nothing was answered
 * yet. `files` are the inputs of the query. Throws `usage` and `input` errors.
 */
export async function withServerFile(
  url: string,
  files: readonly string[],
  raw: OpeningFlags & { readonly key?: readonly string[] | undefined } & ListFlags,
  work: (opened: ServerFile) => Promise<ExitCode>,
): Promise<ExitCode> {
  const opening = openingAt(raw, [url]);
  // Records of an input cannot be read a second time.
  let trustsCopy = raw.key !== undefined && files.length === 0 && (raw.filesFrom ?? raw.files0From) === undefined;
  for (;;) {
    try {
      return await withOpened(url, { ...opening, trustsCopy }, work);
    } catch (error) {
      if (!(error instanceof OutdatedCopy) || !trustsCopy) throw error;
      trustsCopy = false;
    }
  }
}

/** Opens a file at a URL, and closes it after `work`. Throws `usage` and `input` errors. */
export async function withOpened<T>(
  url: string,
  { timeout, headers, trustsCopy = false }: Opening,
  work: (opened: ServerFile) => Promise<T>,
): Promise<T> {
  const { openRemote } = await import('../io/remote/open-remote.ts');
  const opened = await openRemote(url, { timeout, headers, trustsCopy });
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}

/** A header line: its name and its value, which are checked separately. */
const LINE = /^([^:]*):[ \t]*(.*)$/;

/**
 * Reads header lines, such as `Authorization: Bearer TOKEN`. Errors never show a line. Throws `input` errors. Throws `usage` errors for
 * lines that are not headers, and for headers that bloom sets itself.
 */
function readHeaders(source: HeaderSource, env: NodeJS.ProcessEnv): Record<string, string> {
  const { text, name } = 'file' in source ? textOf(source.file) : variableOf(source.variable, env);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const example = 'write it as NAME: VALUE, such as Authorization: Bearer TOKEN';
  if (lines.length === 0) throw new BloomError('usage', `there is no header in ${name}`, example);
  const headers: Record<string, string> = {};
  for (const [i, line] of lines.entries()) {
    const [, header = '', value = ''] = LINE.exec(line.trim()) ?? [];
    if (!isHeader(header, value)) throw new BloomError('usage', `line ${i + 1} in ${name} is not a header`, example);
    requireOther(header, `remove it from ${name}`);
    headers[header.toLowerCase()] = value;
  }
  return headers;
}

function textOf(file: string): { readonly text: string; readonly name: string } {
  const name = displayName(file);
  return {
    name,
    text: attempt(
      () => readFileSync(file, 'utf8'),
      (cause) => cannotRead('filter', name, cause),
    ),
  };
}

function variableOf(variable: string, env: NodeJS.ProcessEnv): { readonly text: string; readonly name: string } {
  const text = env[variable];
  if (text === undefined)
    throw new BloomError(
      'usage',
      `there is no variable ${variable} in the environment`,
      `set it with export ${variable}=...`,
    );
  return { text, name: `the variable ${variable}` };
}
