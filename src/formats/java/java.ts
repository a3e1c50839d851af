import type { FormatMark } from '../mark.ts';
import { classNameIn, STREAM } from './signatures.ts';

/** An object that Java has serialized, and that is no filter which is known. */
export const java: FormatMark = {
  system: 'Java',
  purpose: 'the program that serialized it',
  signatures: [STREAM],
  refusal(head) {
    const className = classNameIn(head);
    return {
      what: `an object${className === undefined ? '' : ` of the class ${className}`}, as Java serializes it`,
      hint: 'serialize the BloomFilter of Guava or Spark alone, or let it write itself with writeTo',
    };
  },
};
