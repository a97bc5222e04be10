// CEL encoders extension: base64.
import { nominal } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { Bytes } from '../values.ts';

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decode(text: string): Bytes {
  const bare = text.replace(/[\r\n]/g, '');
  const isPadded = bare.endsWith('=');
  if (!base64.test(bare) || (isPadded ? bare.length % 4 !== 0 : bare.length % 4 === 1)) {
    return fail('illegal base64 data');
  }
  return new Bytes(Buffer.from(bare, 'base64'));
}

export const encoders: Library = new LibraryBuilder()
  .add('base64.decode', 'base64_decode_string', 'string -> bytes', nominal, decode)
  .add('base64.encode', 'base64_encode_bytes', 'bytes -> string', nominal, ({ data }: Bytes) =>
    Buffer.from(data).toString('base64'),
  )
  .library();
