// Query parameters: booleans, integers and resourceVersion, with the errors of Go's strconv.
import { badRequest } from '../../errors/catalogue.ts';

/** A flag in a query: anything given counts as true but `false` and `0`. */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}

/** A whole number in a query, as far as 64 bits reach. Throws a 400 for anything else. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?[0-9]+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = BigInt(text.replace(/^\+/, ''));
  if (value >= 2n ** 63n || value < -(2n ** 63n)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  return Number(value);
}

export type RevisionText = { readonly revision: number } | { readonly problem: string };

/** A resourceVersion as clients write it. Empty is 0. What is wrong with it comes back in the words clients know. */
export function readRevision(text: string): RevisionText {
  if (text === '') return { revision: 0 };
  if (!/^[0-9]+$/.test(text))
    return { problem: `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax` };
  if (BigInt(text) >= 2n ** 64n) {
    return { problem: `strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range` };
  }
  return { revision: Number(text) };
}
