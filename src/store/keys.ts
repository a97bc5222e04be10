import { InvalidKey } from './store.ts';

/** What LMDB takes as a key, less the eight bytes that the index of expiry times puts in front. */
export const MAX_KEY_BYTES = 1970;

/** Refuses a key that some backend could not keep apart from others or not keep at all. */
export function checkKey(prefix: string, key: string): void {
  if (key.length <= prefix.length + 1 || !key.startsWith(prefix) || key[prefix.length] !== '/') {
    throw new InvalidKey(
      `the key ${JSON.stringify(key)} is not one of the resource ${JSON.stringify(prefix)}`,
    );
  }
  // A UTF-16 unit takes at most three bytes, so most keys need not be measured.
  if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new InvalidKey(`the key is ${Buffer.byteLength(key)} bytes long, more than ${MAX_KEY_BYTES}`);
  }
  if (unfit.test(key))
    throw new InvalidKey(`the key ${JSON.stringify(key)} has a character that cannot be stored`);
}

/** NUL ends a key in LMDB; half a surrogate pair has no UTF-8. */
const unfit = /[\0\p{Surrogate}]/u;
