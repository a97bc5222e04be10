import type { Case, Step, Subject } from './case.ts';
import type { Server } from './client.ts';
import { normalize } from './normalize.ts';
import { replay } from './replay.ts';

/** One request of the corpus and the responses of both sides, as lines to compare. */
export interface Comparison {
  /** `subject/case #n` */
  id: string;
  request: string;
  reference: string[];
  orch: string[];
}

export interface Sides {
  reference: Server;
  orch: Server;
}

/** Replays a case on both sides concurrently. `unique` names this run and case. */
export async function compare(
  subject: Subject,
  scenario: Case,
  sides: Sides,
  unique: string,
): Promise<Comparison[]> {
  // The names differ by one letter between the sides, so that both may be the same server, and have the same length.
  const [reference, orch] = await Promise.all([
    replay(sides.reference, scenario, `${unique}r`),
    replay(sides.orch, scenario, `${unique}o`),
  ]);
  const expected = normalize(reference);
  const actual = normalize(orch);
  return reference.steps.map((step, index) => ({
    id: `${subject.name}/${scenario.name} #${index + 1}`,
    request: describe(step),
    reference: expected[index] ?? [],
    orch: actual[index] ?? [],
  }));
}

export function isIdentical({ reference, orch }: Comparison): boolean {
  return reference.length === orch.length && reference.every((line, index) => line === orch[index]);
}

/** The request in the notation of the corpus, on one line. */
function describe({ method, path, headers, token, certificate, body }: Step): string {
  const extra = Object.entries({
    ...(token !== undefined && { token: typeof token === 'function' ? '(signed here)' : token }),
    ...(certificate && { certificate: JSON.stringify(certificate) }),
    ...headers,
  });
  const words = [method, path, ...extra.map(([name, value]) => `[${name}: ${value}]`)];
  if (body !== undefined)
    words.push(typeof body === 'function' ? '(a kept object, changed)' : bodyText(body));
  return shorten(words.join(' ')).replaceAll(/[\x00-\x1f]/g, (character) =>
    JSON.stringify(character).slice(1, -1),
  );
}

function bodyText(body: string | Buffer | object): string {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);
}

function shorten(text: string): string {
  return text.length <= 400 ? text : `${text.slice(0, 400)}… (${text.length} characters)`;
}
