// Query parameters: booleans, integers and resourceVersion, with the errors of Go's strconv.
import { badRequest } from '../../errors/catalogue.ts';

/** A boolean parameter; undefined if absent. Every value except `false` and `0` is true (as in kube-apiserver). */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}

/** A 64-bit integer parameter; undefined if absent. Throws 400 for any other text. */
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

export type ParsedRevision = { readonly revision: number } | { readonly problem: string };

/** Parses a resourceVersion; '' is 0. `problem` is the message of Go's strconv. */
export function parseRevision(text: string): ParsedRevision {
  if (text === '') return { revision: 0 };
  if (!/^[0-9]+$/.test(text))
    return { problem: `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax` };
  if (BigInt(text) >= 2n ** 64n) {
    return { problem: `strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range` };
  }
  return { revision: Number(text) };
}
