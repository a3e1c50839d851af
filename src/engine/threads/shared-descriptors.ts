/** Whether a thread can use the descriptors of another one. Under Deno it cannot: each thread has a table of its own. */
export const HAVE_SHARED_DESCRIPTORS = process.versions.deno === undefined;
