import { BloomError } from '../errors.ts';
import type { Opening } from '../formats/opening.ts';
import { isUrl } from '../io/look.ts';
import { readHeaders } from '../io/remote/header-source.ts';
import { type OpeningFlags, openingOf } from '../options/opening.ts';
import { refuseUnused } from '../options/unused.ts';

/**
 * The opening that flags state for filters at places; `mayHaveMore` if lists name further filters. Headers go only to the server of the first
 * URL. Throws `usage` errors, and `input` errors for headers that cannot be read.
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
