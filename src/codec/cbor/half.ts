// IEEE 754 half-precision floating-point numbers (CBOR float16), which Node's Buffer cannot read or write.

// The bits are: 1 sign, 5 exponent (bias 15), 10 mantissa. Exponent 0 is subnormal, 31 is infinity or NaN.

export function decodeHalf(bits: number): number {
  const magnitude = decodeMagnitude((bits >> 10) & 0x1f, bits & 0x3ff);
  return bits & 0x8000 ? -magnitude : magnitude;
}

function decodeMagnitude(exponent: number, mantissa: number): number {
  if (exponent === 0) return mantissa * 2 ** -24;
  if (exponent === 31) return mantissa === 0 ? Infinity : Number.NaN;
  return (1024 + mantissa) * 2 ** (exponent - 25);
}

/** The largest finite half-precision number. */
const maxHalf = 65504;

/** The bits of the half-precision number; undefined if it cannot represent the value exactly. */
export function encodeHalf(value: number): number | undefined {
  if (value === 0) return Object.is(value, -0) ? 0x8000 : 0;
  const sign = value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude > maxHalf) return undefined;
  // -14 is the smallest exponent of a normal number, and that of subnormal ones.
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const mantissa = magnitude / 2 ** (exponent - 10);
  if (!Number.isInteger(mantissa) || mantissa >= 2048) return undefined;
  // A subnormal number lacks the implicit leading bit, 1024.
  if (mantissa < 1024) return exponent === -14 ? sign | mantissa : undefined;
  return sign | ((exponent + 15) << 10) | (mantissa - 1024);
}
