// Test fixture: CustomResourceDefinitions.
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreateLoaded, tryUpdateLoaded } from '../try-rules.ts';
import { customresourcedefinitions } from './customresourcedefinition.ts';

export const definition = customresourcedefinitions({ dialect: orch, features: everyFeature });

export const version = (name: string, changes: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object' } },
  ...changes,
});

/** A good custom kind, with fields of its spec replaced. */
export const custom = (spec: object = {}, name = 'foos.example.com') => ({
  metadata: { name },
  spec: {
    group: 'example.com',
    names: { plural: 'foos', kind: 'Foo' },
    scope: 'Namespaced',
    versions: [version('v1')],
    ...spec,
  },
});

export const withVersion = (changes: object) => custom({ versions: [version('v1', changes)] });
export const withSchema = (openAPIV3Schema: object) => withVersion({ schema: { openAPIV3Schema } });
/** A kind with one field of this schema. */
export const field = (schema: object) => withSchema({ type: 'object', properties: { f: schema } });

export const create = (json: object) => tryCreateLoaded(definition, json);
export const problems = async (json: object) => (await create(json)).problems;
export const update = (old: object, json: object, subresource = '') =>
  tryUpdateLoaded(definition, old, json, subresource);

/** Asserts the message of the first error, with the field's own path shortened. */
export const firstProblem = async (json: object) => (await problems(json))[0] ?? '';
