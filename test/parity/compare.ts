import type { Case, Subject } from './case.ts';
import type { Request, Server } from './client.ts';
import { normalize } from './normalize.ts';
import { type Replay, replay } from './replay.ts';

/** One request of the corpus and what both sides answered, as lines to compare. */
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

/** Replays a case on both sides at once. `unique` names this run and case. */
export async function compare(
  subject: Subject,
  scenario: Case,
  sides: Sides,
  unique: string,
): Promise<Comparison[]> {
  // The names differ by one letter between the sides, so that both may be one server, and have one length.
  const [reference, orch] = await Promise.all([
    replay(sides.reference, scenario, `${unique}r`),
    replay(sides.orch, scenario, `${unique}o`),
  ]);
  const expected = normalize(reference);
  const actual = normalize(orch);
  return reference.requests.map((request, index) => ({
    id: `${subject.name}/${scenario.name} #${index + 1}`,
    request: describe(request, reference),
    reference: expected[index] ?? [],
    orch: actual[index] ?? [],
  }));
}

export function isIdentical({ reference, orch }: Comparison): boolean {
  return reference.length === orch.length && reference.every((line, index) => line === orch[index]);
}

function describe(request: Request, { names }: Replay): string {
  const body = request.body ? ` ${shorten(request.body.toString())}` : '';
  const usual = ['user-agent', 'authorization', 'content-type'];
  const headers = Object.entries(request.headers)
    .filter(
      ([name, value]) => !usual.includes(name) || (name === 'content-type' && value !== 'application/json'),
    )
    .map(([name, value]) => ` [${name}: ${value}]`)
    .join('');
  let text = `${request.method} ${request.path}${headers}${body}`;
  for (const [used, placeholder] of names) text = text.replaceAll(used, placeholder);
  return text;
}

function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}… (${text.length} characters)`;
}
