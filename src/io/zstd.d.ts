// Of newer Nodes than the one whose types we use.

declare module 'node:zlib' {
  const createZstdDecompress: typeof createGunzip | undefined;
  const zstdDecompressSync: typeof gunzipSync | undefined;
}
