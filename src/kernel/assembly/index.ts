// What the kernel exports. A new kind of filter adds one line, and so does a new hash.

export { heapBase } from "./memory";
export { clearKeys, clearRecords, configureBatch, configureRecords, keyCount, recordCount, recordStart, scan, searchFrom, seek } from "./records";
export { collectHits, countMatches } from "./answers";
export { escapedTo, writeBase64, writeEscaped } from "./json";
export { configureLines, configureObjects, linesEnd, writeLead, writeLines } from "./lines";
export { distribute, fullSegment } from "./buckets";
export { hyperLogLogAdd } from "./hyperloglog";
export { distinctTableBytes, mergeDistinct, noteDistinct } from "./distinct";
export { clear, orInto, popcount, warm } from "./bits";
export { foldKeys, trimKeys } from "./encode";
export { xxh64, xxh64Hash } from "./xxh64";
export { xxh3Hash } from "./xxh3";
export { murmur3Hash } from "./murmur3";
export { farm64Hash } from "./farm64";
export { flatAdd, flatAddShared, flatKeep, flatLocate, flatPages, flatTest } from "./flat";
export { doubleHashing } from "./double-hashing";
export { bloomAdd, bloomTest } from "./bloom";
export { sliceAddNew, slicesTest } from "./slices";
export { blockedAdd, blockedFill, blockedTest } from "./blocked";
export { cuckooAdd, cuckooFill, cuckooRemove, cuckooTest, cuckooUnite } from "./cuckoo";
export { quotientAdd, quotientFill, quotientFinalize, quotientRemove, quotientTake } from "./quotient";
export { quotientTest } from "./quotient-runs";
export { staticAdd, staticKeys } from "./static";
export { ribbonFinalize, ribbonTest } from "./ribbon";
export { fuseFinalize, fuseTest } from "./fuse";
export { countingAdd, countingFill, countingRemove, countingTest, countingUnite } from "./counting";
