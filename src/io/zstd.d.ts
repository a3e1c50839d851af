// Functions of Node versions that are newer than the installed types.

declare module 'node:zlib' {
  const createZstdDecompress: typeof createGunzip | undefined;
  const zstdDecompressSync: typeof gunzipSync | undefined;
}
