// CEL encoders extension: base64.encode and base64.decode.
import { nominal } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { Bytes } from '../values.ts';

const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/** Accepts base64 with and without padding. */
function decode(text: string): Bytes {
  const withoutLineBreaks = text.replace(/[\r\n]/g, '');
  const isPadded = withoutLineBreaks.endsWith('=');
  if (
    !base64Pattern.test(withoutLineBreaks) ||
    (isPadded ? withoutLineBreaks.length % 4 !== 0 : withoutLineBreaks.length % 4 === 1)
  ) {
    return fail('illegal base64 data');
  }
  return new Bytes(Buffer.from(withoutLineBreaks, 'base64'));
}

export const encoders: Library = new LibraryBuilder()
  .add('base64.decode', 'base64_decode_string', 'string -> bytes', nominal, decode)
  .add('base64.encode', 'base64_encode_bytes', 'bytes -> string', nominal, ({ data }: Bytes) =>
    Buffer.from(data).toString('base64'),
  )
  .library();
