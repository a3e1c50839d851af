/** What each of some things that have a name is for, a line each. */
export function purposes(named: readonly { readonly name: string; readonly purpose: string }[]): string {
  const width = Math.max(...named.map(({ name }) => name.length));
  return named.map(({ name, purpose }) => `  ${name.padEnd(width)}  ${purpose}`).join('\n');
}
