/** Whether a thread can use the file descriptors of another thread. Under Deno, each thread has its own table. */
export const HAVE_SHARED_DESCRIPTORS = process.versions.deno === undefined;
