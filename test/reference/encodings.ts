// From the text of a key to the bytes that are hashed. The kernel works on words; this oracle uses integers of any size.

import { isIP } from 'node:net';

type Encode = (text: string, key: Uint8Array) => Uint8Array | undefined;
type Order = 'le' | 'be';

/** The lowest `count` bytes of an integer, in two's complement. */
function bytesOf(number: bigint, count: number, order: Order): Uint8Array {
  const bytes = Array.from({ length: count }, (_, i) => Number((number >> BigInt(8 * i)) & 0xffn));
  return Uint8Array.from(order === 'le' ? bytes : bytes.reverse());
}

function integer(least: bigint, most: bigint, count: number, order: Order = 'le'): Encode {
  return (text) => {
    if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
    const number = BigInt(text.replace(/^[+-]/, '')) * (text.startsWith('-') ? -1n : 1n);
    return number < least || number > most ? undefined : bytesOf(number, count, order);
  };
}

const signed = (bits: number, order: Order = 'le', count = bits / 8) =>
  integer(-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n, count, order);
const unsigned = (bits: number, count = bits / 8) => integer(0n, 2n ** BigInt(bits) - 1n, count);

/** A decimal with two digits after the point, as a number of hundredths. */
const hundredths: Encode = (text) => {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '' || /[1-9]/.test(fraction.slice(2))) return undefined;
  const number = BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')) * (sign === '-' ? -1n : 1n);
  return number === BigInt.asIntN(64, number) ? bytesOf(number, 8, 'le') : undefined;
};

/** The shortest text of a decimal: without superfluous zeros, point and sign. */
const shortest: Encode = (text) => {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const behind = fraction.replace(/0+$/, '');
  const digits = `${whole.replace(/^0+/, '') || '0'}${behind === '' ? '' : '.'}${behind}`;
  return new Uint8Array(Buffer.from(`${sign === '-' && digits !== '0' ? '-' : ''}${digits}`));
};

/** Text of at most eight characters, padded with spaces to eight. */
const eightCharacters: Encode = (_, key) => {
  const text = Buffer.from(key).toString('latin1').replace(/ +$/, '');
  const characters = text.replace(/[\x80-\xbf]/g, '').length;
  return characters > 8 ? undefined : new Uint8Array(Buffer.from(text + ' '.repeat(8 - characters), 'latin1'));
};

const DAY = 86_400_000;
const CYCLE_YEARS = 400n;
const CYCLE_DAYS = 146_097n;

/** Days from 1970 to a date. A cycle of 400 years moves each year to 2000 to 2399, for which JavaScript has a calendar. */
function daysTo(year: bigint, month: number, day: number): bigint | undefined {
  const cycles = (year - (((year % CYCLE_YEARS) + CYCLE_YEARS) % CYCLE_YEARS) - 2000n) / CYCLE_YEARS;
  const date = new Date(Date.UTC(Number(year - cycles * CYCLE_YEARS), month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return BigInt(date.getTime() / DAY) + cycles * CYCLE_DAYS;
}

function date(count: number, order: Order = 'le', zero = 0n): Encode {
  return (text) => {
    const match = /^([+-]?[0-9]{4,})-([0-9]{2})-([0-9]{2})$/.exec(text);
    const days = match
      ? daysTo(BigInt(match[1]?.replace('+', '') ?? ''), Number(match[2]), Number(match[3]))
      : undefined;
    if (match)
      return days === undefined || days !== BigInt.asIntN(32, days) ? undefined : bytesOf(days + zero, count, order);
    if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
    const number = BigInt(text.replace('+', ''));
    return number === BigInt.asIntN(32, number) ? bytesOf(number + zero, count, order) : undefined;
  };
}

const SECONDS_OF_DAY = 86_400n;

/** Units since 1970, with `digits` digits per second. An INT96 has the nanoseconds of a Julian day and its number. */
function timestamp(digits: number, isInt96 = false): Encode {
  const perSecond = 10n ** BigInt(digits);
  const form =
    /^([+-]?[0-9]{4,})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)?(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$/;
  const stored = (units: bigint) => {
    if (!isInt96) return units === BigInt.asIntN(64, units) ? bytesOf(units, 8, 'le') : undefined;
    const ofDay = ((units % (SECONDS_OF_DAY * perSecond)) + SECONDS_OF_DAY * perSecond) % (SECONDS_OF_DAY * perSecond);
    const julian = (units - ofDay) / (SECONDS_OF_DAY * perSecond) + 2_440_588n;
    if (julian !== BigInt.asUintN(32, julian)) return undefined;
    return Uint8Array.from([...bytesOf(ofDay, 8, 'le'), ...bytesOf(julian, 4, 'le')]);
  };
  return (text) => {
    if (/^[+-]?[0-9]+$/.test(text)) {
      const units = BigInt(text.replace('+', ''));
      return units === BigInt.asIntN(64, units) ? stored(units) : undefined;
    }
    const [, year, month, day, hour = '0', minute = '0', second = '0', rest = '', zone = 'Z'] = form.exec(text) ?? [];
    if (year === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
    const days = daysTo(BigInt(year.replace('+', '')), Number(month), Number(day));
    if (days === undefined || days !== BigInt.asIntN(32, days) || /[1-9]/.test(rest.slice(digits))) return undefined;
    const [, sign, ahead = '0', more = '0'] = /^([+-])([0-9]{2}):?([0-9]{2})?$/.exec(zone) ?? [];
    if (Number(ahead) > 23 || Number(more) > 59) return undefined;
    const offset = BigInt((sign === '-' ? -60 : 60) * (60 * Number(ahead) + Number(more)));
    const clock = BigInt(3600 * Number(hour) + 60 * Number(minute) + Number(second));
    const seconds = days * SECONDS_OF_DAY + clock - offset;
    return stored(seconds * perSecond + BigInt(rest.slice(0, digits).padEnd(digits, '0')));
  };
}

/** Numbers are scaled by 2^1100, which makes every floating-point number an integer. */
const SCALE = 1100n;

/** The scaled number with this pattern. The pattern of infinity counts as the next number after the largest. */
function scaledPattern(pattern: bigint, bits: 32 | 64): bigint {
  const [fractionBits, bias] = bits === 64 ? [52n, 1023n] : [23n, 127n];
  const exponent = pattern >> fractionBits;
  const fraction = pattern & (2n ** fractionBits - 1n);
  const mantissa = exponent === 0n ? fraction : fraction + 2n ** fractionBits;
  return mantissa << (SCALE + (exponent === 0n ? 1n : exponent) - bias - fractionBits);
}

/** The pattern of the nearest number; if two are equally near, the even one. */
function nearestPattern(numerator: bigint, denominator: bigint, bits: 32 | 64): bigint {
  let low = 0n;
  let high = bits === 64 ? 0x7ff0000000000000n : 0x7f800000n;
  const isAbove = (pattern: bigint) => scaledPattern(pattern, bits) * denominator > numerator << SCALE;
  if (!isAbove(high)) return high;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isAbove(middle)) high = middle;
    else low = middle;
  }
  const [below, above] = [low, high].map(
    (pattern) => scaledPattern(pattern, bits) * denominator - (numerator << SCALE),
  );
  const nearer = -(below ?? 0n) - (above ?? 0n);
  return nearer < 0n || (nearer === 0n && low % 2n === 0n) ? low : high;
}

/** The 64-bit pattern of a number with this 32-bit pattern. */
function widened(pattern: bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, Number(pattern));
  view.setFloat64(0, view.getFloat32(0));
  return view.getBigUint64(0);
}

function float(
  bits: 32 | 64,
  order: Order = 'le',
  count = bits / 8,
  zeros: 'two zeros' | 'one zero' = 'two zeros',
): Encode {
  const infinite = bits === 64 ? 0x7ff0000000000000n : 0x7f800000n;
  const notANumber = bits === 64 ? 0x7ff8000000000000n : 0x7fc00000n;
  const store = (magnitude: bigint, isNegative: boolean) => {
    const pattern = 8 * count > bits ? widened(magnitude) : magnitude;
    const sign = isNegative && !(pattern === 0n && zeros === 'one zero') ? 1n << BigInt(8 * count - 1) : 0n;
    return bytesOf(pattern + sign, count, order);
  };
  return (text) => {
    const [, sign, word] = /^([+-]?)([a-z]+)$/i.exec(text) ?? [];
    if (word?.toLowerCase() === 'nan') return store(notANumber, false);
    if (['inf', 'infinity'].includes(word?.toLowerCase() ?? '')) return store(infinite, sign === '-');
    const [, minus, whole = '', fraction = '', power = '0'] =
      /^([+-]?)([0-9]*)\.?([0-9]*)(?:e([+-]?[0-9]+))?$/i.exec(text) ?? [];
    if (whole + fraction === '') return undefined;
    const exponent = BigInt(power) - BigInt(fraction.length);
    const digits = BigInt(whole + fraction);
    // A larger exponent makes no difference: the number is too large, or rounds to 0.
    const bounded = exponent > 2000n ? 2000n : exponent < -2000n ? -2000n : exponent;
    const [up, down] = bounded < 0n ? [0n, -bounded] : [bounded, 0n];
    const pattern = nearestPattern(digits * 10n ** up, 10n ** down, bits);
    return pattern === infinite ? undefined : store(pattern, minus === '-');
  };
}

const hex: Encode = (text) => {
  const digits = text.replace(/^0[xX]/, '');
  return /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? new Uint8Array(Buffer.from(digits, 'hex')) : undefined;
};

const uuid: Encode = (text, key) => {
  if (/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(text)) return hex(text.replaceAll('-', ''), key);
  return /^[0-9a-fA-F]{32}$/.test(text) ? hex(text, key) : undefined;
};

const boolean: Encode = (text) => {
  const index = ['false', '0', 'true', '1'].indexOf(text.toLowerCase());
  return index < 0 ? undefined : Uint8Array.of(index >> 1);
};

/** Characters of 2, 3 and 4 bytes, as Java's String reads UTF-8. */
const CHARACTERS = [
  /^[\xc2-\xdf][\x80-\xbf]/,
  /^\xe0[\xa0-\xbf][\x80-\xbf]/,
  /^[\xe1-\xef][\x80-\xbf][\x80-\xbf]/,
  /^\xf0[\x90-\xbf][\x80-\xbf][\x80-\xbf]/,
  /^[\xf1-\xf3][\x80-\xbf][\x80-\xbf][\x80-\xbf]/,
  /^\xf4[\x80-\x8f][\x80-\xbf][\x80-\xbf]/,
];
const BEGINNINGS = [
  /^\xe0[\xa0-\xbf]/,
  /^[\xe1-\xef][\x80-\xbf]/,
  /^\xf0[\x90-\xbf][\x80-\xbf]?/,
  /^[\xf1-\xf3][\x80-\xbf][\x80-\xbf]?/,
  /^\xf4[\x80-\x8f][\x80-\xbf]?/,
];

const utf16: Encode = (text) => {
  let units = '';
  for (let rest = text; rest !== ''; ) {
    const matching = (patterns: readonly RegExp[]) => patterns.map((pattern) => pattern.exec(rest)?.[0]).find(Boolean);
    const character = /^[^\x80-\xff]/.exec(rest)?.[0] ?? matching(CHARACTERS);
    // A surrogate has the form of a character, but is not valid UTF-8.
    const isSurrogate = character !== undefined && /^\xed[\xa0-\xbf]/.test(character);
    units += character === undefined || isSurrogate ? '\ufffd' : Buffer.from(character, 'latin1').toString('utf8');
    rest = rest.slice((character ?? matching(BEGINNINGS) ?? rest.slice(0, 1)).length);
  }
  return new Uint8Array(Buffer.from(units, 'utf16le'));
};

/** A cell of HBase. The last tab separates the row from the qualifier. */
function cell(_: string, key: Uint8Array): Uint8Array | undefined {
  const tab = key.lastIndexOf(9);
  if (tab < 0 || tab > 32_767) return undefined;
  const time = [0x7f, ...Array.from({ length: 7 }, () => 0xff)];
  return Uint8Array.from([tab >> 8, tab & 255, ...key.subarray(0, tab), 0, ...key.subarray(tab + 1), ...time, 255]);
}

/** A domain name, after FORMAT.md. */
const domain: Encode = (text) => {
  const name = text.replace(/[ \t.]+$/, '').replace(/^(?:[ \t.]|\*\.)+/, '');
  const lower = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower === '' ? undefined : Buffer.from(lower, 'latin1');
};

/** A network, after FORMAT.md. Node checks the address. */
const network: Encode = (text) => {
  const [address = '', length, ...more] = text.split('/');
  const plain = address.replace(/(:.*)%[^%]+$/, '$1');
  const version = /%/.test(plain) ? 0 : isIP(plain);
  const bits = version === 4 ? 32 : 128;
  const most = length === undefined ? bits : /^(?:0|[1-9]\d{0,2})$/.test(length) ? Number(length) : bits + 1;
  if (version === 0 || more.length > 0 || most > bits) return undefined;
  const bytes = version === 4 ? plain.split('.').map(Number) : groupsOf(plain);
  const isMapped = version === 6 && most >= 96 && bytes.slice(0, 12).join() === '0,0,0,0,0,0,0,0,0,0,255,255';
  const [own, kept] = isMapped ? [bytes.slice(12), most - 96] : [bytes, most];
  return Uint8Array.from([...own.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, kept - 8 * i)))), kept]);
};

/** The bytes of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...numbers: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = numbers.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = [], after = []] = hex.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

/** Every encoding, and whether blanks around a value are removed. */
const ENCODINGS: Readonly<Record<string, readonly [Encode, 'exact' | 'trimmed']>> = {
  'hbase-cell': [cell, 'exact'],
  domain: [domain, 'exact'],
  network: [network, 'trimmed'],
  hex: [hex, 'trimmed'],
  utf16le: [utf16, 'exact'],
  char: [eightCharacters, 'exact'],
  uuid: [uuid, 'trimmed'],
  boolean: [boolean, 'trimmed'],
  int8: [signed(8), 'trimmed'],
  int16le: [signed(16), 'trimmed'],
  int16be: [signed(16, 'be'), 'trimmed'],
  int32le: [signed(32), 'trimmed'],
  int32be: [signed(32, 'be'), 'trimmed'],
  int64le: [signed(64), 'trimmed'],
  int64be: [signed(64, 'be'), 'trimmed'],
  'int8-in-32le': [signed(8, 'le', 4), 'trimmed'],
  'int16-in-32le': [signed(16, 'le', 4), 'trimmed'],
  'int8-in-64le': [signed(8, 'le', 8), 'trimmed'],
  'int16-in-64le': [signed(16, 'le', 8), 'trimmed'],
  'int32-in-64le': [signed(32, 'le', 8), 'trimmed'],
  uint32le: [unsigned(32), 'trimmed'],
  uint64le: [unsigned(64), 'trimmed'],
  'uint8-in-32le': [unsigned(8, 4), 'trimmed'],
  'uint16-in-32le': [unsigned(16, 4), 'trimmed'],
  'uint8-in-64le': [unsigned(8, 8), 'trimmed'],
  'uint16-in-64le': [unsigned(16, 8), 'trimmed'],
  'uint32-in-64le': [unsigned(32, 8), 'trimmed'],
  float32le: [float(32), 'trimmed'],
  float32be: [float(32, 'be'), 'trimmed'],
  float64le: [float(64), 'trimmed'],
  float64be: [float(64, 'be'), 'trimmed'],
  'float32-in-64le': [float(32, 'le', 8), 'trimmed'],
  'float32-in-64le-one-zero': [float(32, 'le', 8, 'one zero'), 'trimmed'],
  'float64le-one-zero': [float(64, 'le', 8, 'one zero'), 'trimmed'],
  decimal: [hundredths, 'trimmed'],
  'decimal-text': [shortest, 'trimmed'],
  date32le: [date(4), 'trimmed'],
  date64le: [date(8), 'trimmed'],
  'timestamp-ms': [timestamp(3), 'trimmed'],
  'timestamp-us': [timestamp(6), 'trimmed'],
  'timestamp-ns': [timestamp(9), 'trimmed'],
  'timestamp-96': [timestamp(9, true), 'trimmed'],
  'date32be-middle': [date(4, 'be', 2n ** 31n), 'trimmed'],
};

export const ENCODING_NAMES = Object.keys(ENCODINGS);

/** The bytes of a key that are hashed under an encoding; undefined if the key is not a value of the type. */
export function encoded(name: string, key: Uint8Array): Uint8Array | undefined {
  const [encode, blanks] = ENCODINGS[name] ?? [];
  if (encode === undefined) throw new Error(`there is no encoding ${name}`);
  const text = Buffer.from(key).toString('latin1');
  return encode(blanks === 'trimmed' ? text.replace(/^[ \t]+|[ \t]+$/g, '') : text, key);
}
