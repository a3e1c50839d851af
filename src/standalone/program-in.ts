import { getAsset } from 'node:sea';

/** A module in the executable, as a URL with which a worker can start. */
export function programIn(asset: string): URL {
  return new URL(`data:text/javascript;base64,${Buffer.from(getAsset(asset)).toString('base64')}`);
}
