// IEEE 754 half-precision floating-point numbers (CBOR float16), which Node's Buffer cannot read or write.

export function decodeHalf(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  const magnitude =
    exponent === 0
      ? mantissa * 2 ** -24
      : exponent === 31
        ? mantissa === 0
          ? Infinity
          : Number.NaN
        : (1024 + mantissa) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/** The largest finite half-precision number. */
const maxHalf = 65504;

/** The bits of the half-precision number, if it represents the value exactly. */
export function encodeHalf(value: number): number | undefined {
  if (value === 0) return Object.is(value, -0) ? 0x8000 : 0;
  const sign = value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude > maxHalf) return undefined;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const mantissa = magnitude / 2 ** (exponent - 10);
  if (!Number.isInteger(mantissa) || mantissa >= 2048) return undefined;
  if (mantissa < 1024) return exponent === -14 ? sign | mantissa : undefined;
  return sign | ((exponent + 15) << 10) | (mantissa - 1024);
}
