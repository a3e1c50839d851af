// Filters that bloom detects only to refuse them by the name of their system.

import { signatureOf } from '../io/signature.ts';
import type { FormatMark } from './mark.ts';

/** A filter of FilterPassword. It begins with 1,234,567. */
export const filterPassword: FormatMark = {
  system: 'FilterPassword',
  purpose: 'FilterPassword',
  signatures: [signatureOf('\x87\xd6\x12\0\0\0\0\0')],
};

/** A filter of valkey-bloom: the command that restores it, or its DUMP, with the module name "bloomfltr". */
export const valkey: FormatMark = {
  system: 'Valkey',
  purpose: 'a server of Valkey',
  signatures: ['*3\r\n$7\r\nBF.LOAD\r\n', '\x07\x81\x6e\x5a\x28\x99\xf9\x6d\xac'].map(signatureOf),
};

const DCSO_0_BYTES = 24;
const DCSO_0_HASHES = 64;

/**
 * Version 0.1.0 of DCSO's bloom, of 2017. Little-endian: u32 n, f64 p, u32 k, u32 m, u32 keys, then the bits in words
 * of 8 bytes.
 */
export const dcso0: FormatMark = {
  system: 'DCSO bloom 0.1',
  purpose: 'version 0.1.0 of DCSO bloom, which used other hashes',
  fits(head, size) {
    const [n, fpr, k, m] = [
      head.getUint32(0, true),
      head.getFloat64(4, true),
      head.getUint32(12, true),
      head.getUint32(16, true),
    ];
    const isSized = n > 0 && fpr > 0 && fpr < 1 && k > 0 && k <= DCSO_0_HASHES && m > 0;
    return isSized && size === DCSO_0_BYTES + 8 * Math.ceil(m / 64);
  },
};
