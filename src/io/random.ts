/**
 * Hexadecimal digits of unpredictable bytes. The global is loaded when it is first used; node:crypto would be at start.
 */
export function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
}
