// Test fixture: runs the laws of server-side apply with random schemas and with built-in kinds.
import { describe } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../codec/json/json-value.ts';
import { orch } from '../dialect/index.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import {
  type LawSubject,
  type LawSubjects,
  plans,
  subjectOf,
  typeOf,
} from '../patch/apply/random-schema.fixture.ts';
import { builtinKinds } from './index.ts';

const realKinds = [
  ['', 'v1', 'ConfigMap'],
  ['', 'v1', 'Service'],
  ['', 'v1', 'Pod'],
  ['apps', 'v1', 'Deployment'],
] as const;

/** Built-in kinds, with values of the fields that clients can set. */
export const realSubjects: readonly (LawSubject & { readonly name: string })[] = realKinds.map(
  ([group, version, kind]) => {
    const kindDefinition = builtinKinds({ dialect: orch, features: everyFeature }).find(
      (definition) =>
        definition.group === group && definition.version === version && definition.kind === kind,
    )!;
    const { shape, values } = subjectOf(kindDefinition.schema, { depth: 6, width: 4 });
    return { name: kind, shape, values: values.map(withoutServersOwn) };
  },
);

function withoutServersOwn({ apiVersion: _, kind: __, metadata, ...rest }: JsonObject): JsonObject {
  const { labels, annotations, finalizers } = (metadata ?? {}) as JsonObject;
  const clientMetadata = Object.entries({ labels, annotations, finalizers }).filter(
    ([, value]) => value !== undefined,
  );
  return clientMetadata.length === 0
    ? rest
    : { ...rest, metadata: Object.fromEntries(clientMetadata) as JsonObject };
}

/** Tests laws with random schemas and with built-in kinds. */
export function inEverySchema(laws: (subjects: LawSubjects, numRuns: number) => void): void {
  describe('in schemas of every form', () => {
    laws(
      plans.map((plan) => ({ plan, subject: subjectOf(typeOf(plan)) })),
      300,
    );
  });
  for (const subject of realSubjects) {
    describe(`in a ${subject.name}`, () => laws(fc.constant({ subject }), 40));
  }
}
