import { getAsset } from 'node:sea';

/** A module that is in the executable, under a name that a worker can be started with. */
export function programIn(asset: string): URL {
  return new URL(`data:text/javascript;base64,${Buffer.from(getAsset(asset)).toString('base64')}`);
}
