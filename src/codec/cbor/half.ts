/** IEEE 754 half-precision floats, which JavaScript lacks. */

/** Decodes the bits of a half-precision float. */
export function half(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  const size =
    exponent === 0
      ? mantissa * 2 ** -24
      : exponent === 31
        ? mantissa === 0
          ? Infinity
          : Number.NaN
        : (1024 + mantissa) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}

/** The bits of the half-precision float, if it represents the value exactly. */
export function halfOf(value: number): number | undefined {
  if (value === 0) return Object.is(value, -0) ? 0x8000 : 0;
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size > 65504) return undefined;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const mantissa = size / 2 ** (exponent - 10);
  if (!Number.isInteger(mantissa) || mantissa >= 2048) return undefined;
  if (mantissa < 1024) return exponent === -14 ? sign | mantissa : undefined;
  return sign | ((exponent + 15) << 10) | (mantissa - 1024);
}
