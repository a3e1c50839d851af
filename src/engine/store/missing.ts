/** The largest number of ranges that a message names. */
const NAMED = 8;

/** The numbers from 1 to `of` that are not present, such as "3, 5 to 7"; undefined if all are present. */
export function missingOf(present: readonly number[], of: number): string | undefined {
  const bounds = [0, ...[...present].sort((a, b) => a - b), of + 1];
  const ranges = bounds.flatMap((from, i) => {
    const to = bounds[i + 1];
    if (to === undefined || to - from < 2) return [];
    return [to - from === 2 ? String(from + 1) : `${from + 1} to ${to - 1}`];
  });
  if (ranges.length === 0) return undefined;
  return `${ranges.slice(0, NAMED).join(', ')}${ranges.length > NAMED ? ' and others' : ''}`;
}
