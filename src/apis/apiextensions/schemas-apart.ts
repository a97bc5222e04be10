// CustomResourceDefinition storage: keeps schemas apart from the rest of a definition.
import { endOfContainer } from '../../codec/json/parse.ts';
import type { Bulk } from '../../kind/storage/bulk.ts';

const key = '"openAPIV3Schema":';

/** The placeholder for a schema: no client can write such a schema. */
const standIn = (n: number) => `{"id":"${n}"}`;

/** Schemas are most of a definition's size, and few readers need them. */
export const schemasApart: Bulk = {
  takeOut(json) {
    // One character a byte: no character that is looked for is part of another.
    const text = json.toString('latin1');
    const kept: Buffer[] = [];
    const parts: Buffer[] = [];
    let from = 0;
    for (let at = startOf(text, 0); at >= 0; at = startOf(text, from)) {
      const end = endOfContainer(text, at);
      kept.push(json.subarray(from, at), Buffer.from(standIn(parts.length)));
      parts.push(json.subarray(at, end));
      from = end;
    }
    return { rest: Buffer.concat([...kept, json.subarray(from)]), parts };
  },

  putBack({ rest, parts }) {
    const pieces: Buffer[] = [];
    let from = 0;
    parts.forEach((part, n) => {
      const at = rest.indexOf(`${key}${standIn(n)}`, from);
      if (at < 0) throw new Error('the place of a schema is not there any more');
      pieces.push(rest.subarray(from, at + key.length), part);
      from = at + key.length + standIn(n).length;
    });
    return Buffer.concat([...pieces, rest.subarray(from)]);
  },
};

/** Where the next schema begins; -1 where there is none. What looks like it within a text has a backslash in it. */
function startOf(text: string, from: number): number {
  const at = text.indexOf(`${key}{`, from);
  return at < 0 ? at : at + key.length;
}
