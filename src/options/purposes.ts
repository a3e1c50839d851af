/** Something that has a name, and what it is for. */
export interface Named {
  readonly name: string;
  readonly purpose: string;
}

/** What each is for, a line each. */
export function purposes(named: readonly Named[]): string {
  return inColumns(named.map(({ name, purpose }) => [name, purpose]));
}

/** Terms and what is said of them, a line each. */
export function inColumns(lines: readonly (readonly [term: string, said?: string])[]): string {
  const width = Math.max(...lines.map(([term]) => term.length));
  return lines.map(([term, said = '']) => `  ${term.padEnd(width)}  ${said}`.trimEnd()).join('\n');
}
