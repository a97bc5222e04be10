// CRC-32, as gzip uses it.

/** The polynomial, bit-reversed: the highest power of x is the lowest bit. */
const polynomial = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
  return rest >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ table[(crc ^ bytes[at]!) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

/** The CRC of a concatenation, from the CRCs of both parts and the length of the second. */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (multiply(powerOfX(secondLength * 8), first) ^ second) >>> 0;
}

/** Multiplies two polynomials modulo the CRC polynomial. */
function multiply(one: number, other: number): number {
  let product = 0;
  let shifted = other;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if (one & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

/** x to the powers 1, 2, 4, 8, … */
const powersOfX = [0x40000000];
for (let last = 0x40000000; powersOfX.length < 56; ) {
  last = multiply(last, last);
  powersOfX.push(last);
}

function powerOfX(exponent: number): number {
  let product = 0x80000000;
  for (let index = 0, rest = exponent; rest > 0; index++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) product = multiply(powersOfX[index]!, product);
  }
  return product;
}
