import type { FormatMark } from '../mark.ts';
import { classNameIn, STREAM } from './signatures.ts';

/** An object that Java has serialized and that is not a known filter. */
export const java: FormatMark = {
  system: 'Java',
  purpose: 'the program that serialized it',
  signatures: [STREAM],
  refusal(head) {
    const className = classNameIn(head);
    return {
      what: `a serialized Java object${className === undefined ? '' : ` of the class ${className}`}`,
      hint: 'write the BloomFilter of Guava or Spark with its method writeTo, or serialize it alone',
    };
  },
};
