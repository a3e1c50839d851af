// The JSON output. JSON.md lists all names. They are a contract: the same thing has the same name everywhere.

import type { CountedKeys } from '../../engine/count.ts';
import { noteSummary } from '../../engine/notes.ts';
import { type Content, keyHashText, seedNumber, summaryOf } from '../../engine/survey.ts';
import { recordsWithout } from '../../engine/tasks/tally.ts';
import type { BloomError } from '../../errors.ts';
import { type Description, type KeyRules, remarksOn } from '../../formats/description.ts';
import { interval95 } from '../../sizing/cardinality.ts';
import { partsJson } from './parts.ts';
import type { Report } from './report.ts';

/** A filter of any command. `file` is the name that the user wrote, or null if nothing was written. */
export function filterJson(file: string | null, description: Description, content: Content) {
  return { file, ...summaryOf(description, content) };
}

/** The digests of one output. */
export function digestsJson(
  { file, part, parts, keys }: { file: string; part: number; parts: number; keys: number },
  { hash, seed, ignoreCase, trim, keyHash }: KeyRules,
) {
  return { file, hash, seed: seedNumber(seed), ignoreCase, trim, keyHash: keyHashText(keyHash), part, parts, keys };
}

/** The number of distinct keys. `file` is the file of their sketch. */
export function countedJson(file: string | undefined, counted: CountedKeys, seconds: number) {
  const { records, keys, distinct } = counted;
  const { low, high } = interval95(distinct);
  return {
    file: file ?? null,
    records,
    keys,
    skipped: recordsWithout(counted),
    estimatedItems: Math.round(distinct.count),
    estimateIsExact: distinct.error === 0,
    standardError: distinct.error,
    low: Math.round(low),
    high: Math.round(high),
    seconds,
  };
}

/** All facts that `stats` found. `seconds` is the time that it took. */
export function reportJson(report: Report, seconds: number) {
  const { file, description, content, measured, absent, present, health } = report;
  return {
    ...filterJson(file, description, content),
    modified: report.modified ?? null,
    hasChecksum: report.hasChecksum,
    verified: report.verified,
    measuredFpr: measured ?? null,
    absent: absent === undefined ? null : absentJson(absent),
    present: present === undefined ? null : presentJson(present),
    ...noteSummary(description),
    remarks: remarksOn(description),
    healthy: health.healthy,
    verdict: health.verdict,
    ...(report.parts.length === 0 ? {} : partsJson(report)),
    seconds,
  };
}

/** A file that `stats` could not report on, or only in part. */
export function unreadJson(file: string, { message }: BloomError) {
  return { file, error: message, healthy: false, verdict: message };
}

function absentJson({ probes, positives, rate, low, high, skipped }: NonNullable<Report['absent']>) {
  return { records: probes, positives, rate, low, high, skipped };
}

function presentJson({ records, missing, skipped }: NonNullable<Report['present']>) {
  return { records, missing, skipped };
}
