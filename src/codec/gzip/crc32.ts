// CRC-32 with the polynomial of gzip (RFC 1952), and the CRC of a concatenation.

/** The polynomial, bit-reversed: the highest power of x is the lowest bit. */
const polynomial = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++)
    remainder = remainder & 1 ? (remainder >>> 1) ^ polynomial : remainder >>> 1;
  return remainder >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let index = 0; index < bytes.length; index++) crc = (crc >>> 8) ^ table[(crc ^ bytes[index]!) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

/** The CRC of a concatenation, from the CRCs of both parts and the length of the second in bytes. */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (multiply(powerOfX(secondLength * 8), first) ^ second) >>> 0;
}

/** Multiplies two polynomials modulo the CRC polynomial. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

/** The polynomials 1 and x, bit-reversed. */
const one = 0x80000000;
const x = 0x40000000;

/** x to the powers 1, 2, 4, 8, …: enough for the number of bits of any length that is a safe integer. */
const powersOfX = [x];
for (let last = x; powersOfX.length < 56; ) {
  last = multiply(last, last);
  powersOfX.push(last);
}

/** x to a power, by repeated squaring. */
function powerOfX(exponent: number): number {
  let product = one;
  for (let index = 0, remaining = exponent; remaining > 0; index++, remaining = Math.floor(remaining / 2)) {
    if (remaining % 2 === 1) product = multiply(powersOfX[index]!, product);
  }
  return product;
}
