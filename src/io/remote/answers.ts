import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { BloomError } from '../../errors.ts';
import { type Client, unreadable } from './client.ts';
import type { Pacemaker } from './pace.ts';

/** A version of a file, as the server's headers describe it. */
export interface FileVersion {
  readonly etag: string | undefined;
  readonly modified: string | undefined;
  /** The size of the file in bytes. */
  readonly size: number;
}

/** Bytes of a file, from a position or all of them. */
export interface RemoteBytes {
  readonly bytes: Uint8Array;
  readonly version: FileVersion;
  /** Whether all versions with the same headers have the same bytes. */
  readonly isCertain: boolean;
  readonly isWhole: boolean;
}

/** The largest file that is read completely if its server does not support ranges. */
export const WHOLE_LIMIT = 2 ** 20;

/**
 * Milliseconds by which an answer must be younger than the file. Only then the time of the last change identifies a
 * version. Some servers, such as nginx, make the ETag of this time in seconds and the size.
 */
const CERTAIN_AFTER = 60_000;

/** The file changed after other bytes of it were read. */
export class ChangedOnServer extends Error {}

/**
 * Requests the bytes from `from` to before `to`, or to the end of the file; of the version `known`, if given. Throws
 * `ChangedOnServer` if the server does not have that version any more, and `input` errors for every other wrong answer.
 */
export async function readRange(
  client: Client,
  from: number,
  to: number,
  known: FileVersion | undefined,
  { note }: Pick<Pacemaker, 'note'>,
): Promise<RemoteBytes> {
  const requested = performance.now();
  const message = await client.get({ range: `bytes=${from}-${to - 1}`, ...conditionOf(known) });
  const answered = performance.now();
  try {
    const answer = await answerIn(client, message, from, to, known);
    note(answer.bytes.length, requested, answered, performance.now());
    return answer;
  } catch (error) {
    message.destroy();
    throw error;
  }
}

/** The headers that accept only bytes of this version. */
function conditionOf(known: FileVersion | undefined): Record<string, string> {
  if (known?.etag !== undefined && isStrong(known.etag)) return { 'if-match': known.etag };
  return known?.modified === undefined ? {} : { 'if-unmodified-since': known.modified };
}

function isStrong(etag: string): boolean {
  return etag.startsWith('"');
}

async function answerIn(
  client: Client,
  message: IncomingMessage,
  from: number,
  to: number,
  known: FileVersion | undefined,
): Promise<RemoteBytes> {
  const { statusCode: status = 0, headers } = message;
  if (status === 412 || (known !== undefined && status === 416)) throw new ChangedOnServer();
  if (status === 416) throw unreadable(client.name, 'it is empty');
  if (status !== 206 && status !== 200) throw refused(client.name, status);
  const length = lengthOf(client.name, headers);
  const size = status === 200 ? length : sizeIn(client.name, headers, from, to, length);
  const version = { etag: headers.etag, modified: headers['last-modified'], size };
  if (known !== undefined && !isSame(version, known)) throw new ChangedOnServer();
  const isWhole = status === 200;
  if (isWhole && (known !== undefined || size > WHOLE_LIMIT)) throw withoutRanges(client.name);
  return { bytes: await client.body(message, length), version, isCertain: isCertain(headers), isWhole };
}

/** The length of an answer in bytes. Throws an `input` error if the answer has no length or is compressed. */
function lengthOf(name: string, headers: IncomingHttpHeaders): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') throw unreadable(name, 'the server sends it compressed, and bloom did not request that');
  if (length === undefined || !/^\d{1,15}$/.test(length))
    throw unreadable(name, 'the server does not state the length of its answer');
  return Number(length);
}

/**
 * The size of the file, from the headers of a partial answer. Throws an `input` error if the answer is not the
 * requested part.
 */
function sizeIn(name: string, headers: IncomingHttpHeaders, from: number, to: number, length: number): number {
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? [];
  if (first === undefined || last === undefined)
    throw unreadable(name, 'the server does not state which part of the file it sends');
  const size = Number(total);
  if (Number(first) !== from)
    throw unreadable(name, `the server sends the bytes from ${first}, and bloom requested those from ${from}`);
  const said = Number(last) - from + 1;
  const wanted = Math.min(to, size) - from;
  const [least, most] = [Math.min(said, length), Math.max(said, length)];
  if (most > wanted) throw unreadable(name, `the server sends ${most} bytes, and bloom requested ${wanted}`);
  if (least < wanted) throw unreadable(name, `the server sends only ${least} of ${wanted} bytes`);
  return size;
}

/** Whether two versions are the same, as far as the headers tell. */
export function isSame(a: FileVersion, b: FileVersion): boolean {
  return a.size === b.size && a.etag === b.etag && (a.etag !== undefined || a.modified === b.modified);
}

/** Whether the headers identify exactly one version. */
function isCertain({ etag, 'last-modified': modified, date }: IncomingHttpHeaders): boolean {
  if (etag !== undefined && !isStrong(etag)) return false;
  if (modified === undefined) return etag !== undefined;
  return Date.parse(date ?? '') - Date.parse(modified) >= CERTAIN_AFTER;
}

function withoutRanges(name: string): BloomError {
  return unreadable(
    name,
    'its server does not support range requests (it answered with status 200)',
    'download the file, for example with curl -O, and query the download',
  );
}

const STATUSES: Readonly<Record<number, string>> = {
  401: 'the server requires a login',
  403: 'the server denies access',
  404: 'there is no such file on the server',
  410: 'the file was removed from the server',
  429: 'the server received too many requests',
};

function refused(name: string, status: number): BloomError {
  return unreadable(name, `${STATUSES[status] ?? 'the server gives no reason'} (status ${status})`);
}
