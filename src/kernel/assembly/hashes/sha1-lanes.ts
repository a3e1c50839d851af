// SHA-1 of four short messages at once (FIPS 180-4, 6.1). See lanes.ts.

import { add, at, layOut, rotated } from "./lanes";

/** Which function mixes the words of a round. */
const enum Mix { choice, parity, majority }

@inline
function mixed(mix: Mix, b: v128, c: v128, d: v128): v128 {
  if (mix == Mix.choice) return v128.bitselect(c, d, b);
  if (mix == Mix.majority) return v128.bitselect(d, b, v128.xor(b, c));
  return v128.xor(v128.xor(b, c), d);
}

/** What a round adds to its last word. */
@inline
function added(a: v128, mix: v128, root: v128, schedule: usize, i: u32): v128 {
  return add(add(rotated(a, 5), mix), add(root, v128.load(at(schedule, i))));
}

let a: v128 = i32x4.splat(0);
let b: v128 = i32x4.splat(0);
let c: v128 = i32x4.splat(0);
let d: v128 = i32x4.splat(0);
let e: v128 = i32x4.splat(0);

/** Twenty rounds from round `from` on. */
@inline
function rounds(schedule: usize, from: u32, mix: Mix, constant: i32): void {
  const root = i32x4.splat(constant);
  let p = a;
  let q = b;
  let r = c;
  let s = d;
  let t = e;
  for (let i = from; i < from + 20; i += 5) {
    t = add(t, added(p, mixed(mix, q, r, s), root, schedule, i));
    q = rotated(q, 30);
    s = add(s, added(t, mixed(mix, p, q, r), root, schedule, i + 1));
    p = rotated(p, 30);
    r = add(r, added(s, mixed(mix, t, p, q), root, schedule, i + 2));
    t = rotated(t, 30);
    q = add(q, added(r, mixed(mix, s, t, p), root, schedule, i + 3));
    s = rotated(s, 30);
    p = add(p, added(q, mixed(mix, r, s, t), root, schedule, i + 4));
    r = rotated(r, 30);
  }
  a = p;
  b = q;
  c = r;
  d = s;
  e = t;
}

/** Writes five vectors at the beginning of the schedule, which has 80: word i of the digest of each message. */
export function sha1OfFour(spans: usize, schedule: usize): void {
  layOut(spans, schedule, true);
  for (let i: u32 = 16; i < 80; i++) {
    const near = v128.xor(v128.load(at(schedule, i - 3)), v128.load(at(schedule, i - 8)));
    const far = v128.xor(v128.load(at(schedule, i - 14)), v128.load(at(schedule, i - 16)));
    v128.store(at(schedule, i), rotated(v128.xor(near, far), 1));
  }
  a = i32x4.splat(0x67452301);
  b = i32x4.splat(0xefcdab89);
  c = i32x4.splat(0x98badcfe);
  d = i32x4.splat(0x10325476);
  e = i32x4.splat(0xc3d2e1f0);
  rounds(schedule, 0, Mix.choice, 0x5a827999);
  rounds(schedule, 20, Mix.parity, 0x6ed9eba1);
  rounds(schedule, 40, Mix.majority, 0x8f1bbcdc);
  rounds(schedule, 60, Mix.parity, 0xca62c1d6);
  v128.store(at(schedule, 0), add(a, i32x4.splat(0x67452301)));
  v128.store(at(schedule, 1), add(b, i32x4.splat(0xefcdab89)));
  v128.store(at(schedule, 2), add(c, i32x4.splat(0x98badcfe)));
  v128.store(at(schedule, 3), add(d, i32x4.splat(0x10325476)));
  v128.store(at(schedule, 4), add(e, i32x4.splat(0xc3d2e1f0)));
}
