// The resources that the generator covers: every built-in resource that `orch dev` serves, and custom resources.
import { servedKinds } from '../../src/apis/served-kinds.ts';
import { devDefaults } from '../../src/cli/server-options.ts';
import type { Verb } from '../../src/kind/definition.ts';
import type { ServedResource } from '../../src/kind/registry.ts';
import type { Struct } from '../../src/schema/struct.ts';
import { minimalOf, operations } from '../support/served-resources.ts';
import { customResources } from './custom-resources.ts';
import type { Body } from './fill-field.ts';
import { type StructShape, shapeOfType } from './shape.ts';

export interface SubresourceSubject {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** The kind that it reads and writes. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly shape: StructShape;
  readonly schema: Struct<unknown> | undefined;
  /** A create that is not stored; otherwise it changes the object. */
  readonly isAction: boolean;
  /** Connects to a kubelet, a pod or a service, so that its body is not the server's. */
  readonly isConnect: boolean;
}

export interface Subject {
  /** `pods`, `deployments.apps/v1`. */
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly collection: string;
  readonly verbs: readonly Verb[];
  readonly shape: StructShape;
  /** Undefined for custom resources, which have no Protobuf encoding. */
  readonly schema: Struct<unknown> | undefined;
  /** A valid object, without name. */
  readonly minimal: Body;
  /** The only valid name; undefined if any is. */
  readonly fixedName: string | undefined;
  readonly subresources: readonly SubresourceSubject[];
  readonly maxBytes: number;
}

/** Objects have at most 2 MiB as stored. */
const largeBytes = 2_000_000;

/** All subjects, built-in ones first. */
export function allSubjects(): Subject[] {
  const { registry } = servedKinds(devDefaults);
  return [...registry.resources.map(subjectOf), ...customResources()];
}

function subjectOf(resource: ServedResource): Subject {
  const { definition, apiVersion, kind } = resource;
  const { plural, namespaced, verbs, schema, maxBytes } = definition;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { name, body } = minimalObject(resource);
  return {
    id: apiVersion === 'v1' ? plural : `${plural}.${apiVersion}`,
    apiVersion,
    kind,
    collection: `${root}${namespaced ? '/namespaces/default' : ''}/${plural}`,
    verbs,
    shape: shapeOfType(schema) as StructShape,
    schema,
    minimal: { apiVersion, kind, ...body },
    fixedName: name,
    subresources: subresourcesOf(resource),
    maxBytes: Math.min(largeBytes, maxBytes === undefined ? largeBytes : maxBytes - 50_000),
  };
}

function minimalObject(resource: ServedResource): { name?: string; body: Body } {
  const { apiVersion, kind, definition } = resource;
  const { plural, namespaced, verbs } = definition;
  const operation = operations[plural];
  if (operation) return { body: structuredClone(operation) };
  if (!verbs.includes('create')) return { body: {} };
  return minimalOf({ apiVersion, name: plural, kind, namespaced, verbs }) as { name?: string; body: Body };
}

function subresourcesOf(resource: ServedResource): SubresourceSubject[] {
  return Object.entries(resource.definition.subresources).map(([name, { verbs, action, connect }]) => {
    const { apiVersion, kind, definition } = resource.kindOf(name);
    return {
      name,
      verbs,
      apiVersion,
      kind,
      shape: shapeOfType(definition.schema) as StructShape,
      schema: definition.schema,
      isAction: action !== undefined,
      isConnect: connect !== undefined,
    };
  });
}
