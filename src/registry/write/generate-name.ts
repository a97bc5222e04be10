import { randomInt } from 'node:crypto';

/** Letters and digits that do not make words by accident and are not mistaken for each other. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxNameLength = 63;

/** A name from a `generateName`: the prefix, cut so that the whole keeps to 63 characters, and five random ones. */
export function generateName(prefix: string): string {
  let name = prefix.slice(0, maxNameLength - suffixLength);
  for (let i = 0; i < suffixLength; i++) name += alphabet[randomInt(alphabet.length)];
  return name;
}
