// Floating-point numbers in the format of Go's %v.

/** As %g with the shortest digits, a number from 1e6 up or below 1e-4 has an exponent, of at least two digits. */
export function goFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
