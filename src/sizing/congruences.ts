// Equations modulo m, with a solution picked at random.

/** Returns the next coordinate of a point, from 0 to 1. */
export type Next = () => number;

/** x modulo m, never negative. */
export function modulo(x: number, m: number): number {
  const rest = x % m;
  return rest < 0 ? rest + m : rest;
}

/** One of the x for which d x is `target` modulo m, and the number of such x; undefined if there is none. */
export function solve(d: number, target: number, m: number, next: Next): { x: number; count: number } | undefined {
  const [length, sum] = d < 0 ? [-d, modulo(-target, m)] : [d, target];
  const more = m % length;
  let first = -1;
  let count = 0;
  for (let i = 0, rest = sum % length; i < length; i++, rest = (rest + more) % length) {
    if (rest !== 0) continue;
    if (count === 0) first = i;
    count++;
  }
  if (count === 0) return undefined;
  // The solutions are at equal distances.
  const picked = first + Math.floor(next() * count) * (length / count);
  return { x: (sum + picked * m) / length, count };
}
