// Which requests fetch ranges of a file. This module imports nothing: any reader of ranges can use it.

/** The bytes from `from` to before `to`. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** How fast a server answers. */
export interface Pace {
  /** Seconds from a request to the beginning of its answer. */
  readonly roundTrip: number;
  /** Bytes per second of all connections together. */
  readonly bytesPerSecond: number;
}

/** What a reader can do. */
export interface RequestLimits {
  /** Requests that are open at the same time. */
  readonly atOnce: number;
  /** Bytes of a request. Only a single wanted range may have more. */
  readonly bytes: number;
}

/**
 * Plans requests for ranges, in the order of the file. Each range lies in one request. A request also fetches the gaps between its ranges
 * where that is estimated to be faster than another request: the time is that of the round trips, of which `atOnce` pass at the same
 * time, and of the bytes.
 */
export function planRequests(wanted: readonly ByteRange[], pace: Pace, limits: RequestLimits): ByteRange[] {
  const apart = fused(wanted);
  const widest = widestGap(apart, pace, limits);
  const requests: { from: number; to: number }[] = [];
  for (const { from, to } of apart) {
    const last = requests.at(-1);
    if (last !== undefined && from - last.to <= widest && to - last.from <= limits.bytes) last.to = to;
    else requests.push({ from, to });
  }
  return requests;
}

/** The same bytes in ranges that do not overlap, in the order of the file. */
function fused(ranges: readonly ByteRange[]): ByteRange[] {
  const apart: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.filter((range) => range.from < range.to).sort((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to);
    else apart.push({ from, to });
  }
  return apart;
}

/** The widest gap that is fetched. Gaps are fetched in the order of their width, as many as make the estimated time shortest. */
function widestGap(apart: readonly ByteRange[], { roundTrip, bytesPerSecond }: Pace, limits: RequestLimits): number {
  const gaps = apart.slice(1).map(({ from }, i) => from - (apart[i]?.to ?? 0));
  let bytes = apart.reduce((sum, { from, to }) => sum + to - from, 0);
  const seconds = (requests: number) =>
    Math.ceil(Math.max(requests, bytes / limits.bytes) / limits.atOnce) * roundTrip + bytes / bytesPerSecond;
  let [widest, shortest] = [0, seconds(apart.length)];
  for (const [i, gap] of gaps.sort((a, b) => a - b).entries()) {
    bytes += gap;
    const time = seconds(gaps.length - i);
    if (time < shortest) [widest, shortest] = [gap, time];
  }
  return widest;
}
