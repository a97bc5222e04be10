// Test fixture: writes Protobuf messages as a client would.
export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

export const number = (field: number, value: number | bigint) =>
  Buffer.concat([varint(field << 3), varint(value)]);

export function bytes(field: number, ...parts: (string | Buffer)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}
