// Key validation shared by all storage backends.
import { InvalidKey } from './store.ts';

/** LMDB's maximum key size, less the 8-byte timestamp that the expiry index puts in front. */
export const MAX_KEY_BYTES = 1970;

/** Rejects keys that some backend cannot store, or cannot distinguish from others. */
export function checkKey(prefix: string, key: string): void {
  if (key.length <= prefix.length + 1 || !key.startsWith(prefix) || key[prefix.length] !== '/') {
    throw new InvalidKey(
      `the key ${JSON.stringify(key)} is not one of the resource ${JSON.stringify(prefix)}`,
    );
  }
  // A UTF-16 code unit takes at most three bytes in UTF-8, so short keys need not be measured.
  if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new InvalidKey(`the key is ${Buffer.byteLength(key)} bytes long, more than ${MAX_KEY_BYTES}`);
  }
  if (unstorable.test(key))
    throw new InvalidKey(`the key ${JSON.stringify(key)} has a character that cannot be stored`);
}

/** LMDB terminates keys with NUL; a lone surrogate has no UTF-8 encoding. */
const unstorable = /[\0\p{Surrogate}]/u;
