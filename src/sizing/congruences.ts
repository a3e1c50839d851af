// Equations modulo m, of which a solution is picked at random.

/** Coordinates of a point, each from 0 to 1, one after the other. */
export type Next = () => number;

/** x modulo m, from 0 on. */
export function modulo(x: number, m: number): number {
  const rest = x % m;
  return rest < 0 ? rest + m : rest;
}

/** One of the x for which d x is a number modulo m, and how many there are; undefined for none. */
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
  // They lie at even distances.
  const picked = first + Math.floor(next() * count) * (length / count);
  return { x: (sum + picked * m) / length, count };
}
