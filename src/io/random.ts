/**
 * Unpredictable bytes as hexadecimal digits. Node loads the global `crypto` on its first use; it would load node:crypto
 * at the start.
 */
export function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
}
