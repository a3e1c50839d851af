/** The least whole number, from 1, for which something holds that then holds for all greater ones. */
export function leastThat(holds: (value: number) => boolean): number {
  let above = 1;
  while (!holds(above) && above < Number.MAX_SAFE_INTEGER) above *= 2;
  let below = above / 2;
  while (above - below > 1) {
    const middle = Math.floor((above + below) / 2);
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** The greatest whole number for which something holds that holds for all smaller ones; 0 if not even for 1. */
export function greatestThat(holds: (value: number) => boolean): number {
  return leastThat((value) => !holds(value)) - 1;
}
