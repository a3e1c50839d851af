/** The descriptors that every process has. */
export const STDIN = 0;
export const STDOUT = 1;
export const STDERR = 2;
