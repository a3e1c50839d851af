/** The least whole number, from 1, for which a condition holds. The condition must hold for all greater numbers too. */
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

/**
 * The greatest whole number for which a condition holds; 0 if it does not hold for 1. The condition must hold for all
 * smaller numbers too.
 */
export function greatestThat(holds: (value: number) => boolean): number {
  return leastThat((value) => !holds(value)) - 1;
}
