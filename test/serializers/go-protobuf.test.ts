/**
 * Go clients encode every field that is no pointer, also if it is empty. Such an object equals its JSON, in which these
 * fields are omitted: it is accepted, defaulted and rejected alike.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { builtinKinds } from '../../src/apis/index.ts';
import { isObject, type JsonObject, type JsonValue } from '../../src/codec/json/json-value.ts';
import { encodeMessage } from '../../src/codec/protobuf/encode.ts';
import { writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { orch } from '../../src/dialect/index.ts';
import { everyFeature } from '../../src/kind/features/everything.fixture.ts';
import { ListType, MapType } from '../../src/schema/collections.ts';
import { type Field, Struct } from '../../src/schema/struct.ts';
import type { Type } from '../../src/schema/type.ts';
import { UnionType } from '../../src/schema/union.ts';
import { TestServer } from '../support/client.ts';
import { protobuf } from '../support/media-types.ts';
import {
  collectionOf,
  groupIdOf,
  minimalOf,
  operations,
  type ServedResource,
  servedResources,
} from '../support/served-resources.ts';
import { startServer } from '../support/servers.ts';

const client = new TestServer();
const server = await startServer({
  runtimeConfig: { 'api/all': true },
  featureGates: { AllAlpha: true, AllBeta: true },
  controllers: ['serviceaccount-controller'],
});
client.server = server;
after(() => server.stop());

const schemas = new Map(
  builtinKinds({ dialect: orch, features: everyFeature }).map(({ group, version, kind, schema }) => [
    `${group} ${version} ${kind}`,
    schema as Struct<unknown>,
  ]),
);

for (const resource of await servedResources(client)) {
  if (!resource.verbs.includes('create')) continue;
  const { apiVersion, kind, name } = resource;
  const schema = schemas.get(`${groupIdOf(resource)} ${apiVersion.split('/').at(-1)} ${kind}`)!;

  test(`${apiVersion} ${name} in Protobuf with its empty fields is created as in JSON without them`, async () => {
    const least = leastOf(resource);
    const { fromJson, fromProtobuf } = await createBoth(resource, schema, least);
    if (name !== 'bindings') assert.equal(fromJson.code, 201, JSON.stringify(fromJson));
    assert.deepEqual(fromProtobuf, fromJson);
  });

  test(`${apiVersion} ${name} in Protobuf with every struct empty gets the same response as in JSON`, async () => {
    const { metadata } = leastOf(resource);
    const hollow = { ...(hollowOf(schema, []) as JsonObject), ...(metadata && { metadata }) };
    const { fromJson, fromProtobuf } = await createBoth(resource, schema, hollow);
    assert.deepEqual(fromProtobuf, fromJson);
  });
}

test('a CustomResourceDefinition with a status subresource and a nested schema, as a Go client sends it', async () => {
  const resource: ServedResource = {
    apiVersion: 'apiextensions.orch.io/v1',
    name: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
    verbs: ['create'],
  };
  const string = { type: 'string' };
  const properties = {
    spec: {
      type: 'object',
      properties: { names: { type: 'array', items: string }, size: { type: 'integer' } },
    },
    status: { type: 'object', additionalProperties: string },
  };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties } },
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
    },
  };
  const { fromJson, fromProtobuf } = await createBoth(
    resource,
    schemas.get('apiextensions v1 CustomResourceDefinition')!,
    {
      metadata: { name: 'gophers.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'gophers', kind: 'Gopher' },
        versions: [version],
      },
    },
  );
  assert.equal(fromJson.code, 201, JSON.stringify(fromJson));
  assert.deepEqual(fromProtobuf, fromJson);
});

function leastOf(resource: ServedResource): JsonObject {
  if (!resource.verbs.includes('list')) return operations[resource.name] as JsonObject;
  const { name = 'least', body } = minimalOf(resource);
  return { ...(withoutEmptyLists(body) as JsonObject), metadata: { name } };
}

/** Protobuf cannot distinguish an empty list from an absent one. */
function withoutEmptyLists(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    Array.isArray(value) && value.length === 0 ? undefined : value,
  );
}

/** JSON with its required empty fields (docs/decisions/0007). */
function withPresent(type: Type, value: JsonValue): JsonValue {
  if (Array.isArray(value) && type instanceof ListType) {
    return value.map((one) => withPresent(type.element, one));
  }
  if (!(type instanceof Struct) || !isObject(value)) return value;
  const fields = Object.entries(type.fields as Record<string, Field>);
  const members = fields.flatMap(([name, field]): [string, JsonValue][] => {
    const member = value[name] ?? (field.mustBePresent ? emptyOf(field.type) : undefined);
    return member === undefined ? [] : [[name, withPresent(field.type, member)]];
  });
  return { ...value, ...Object.fromEntries(members) };
}

const emptyOf = (type: Type): JsonValue => (type instanceof ListType ? [] : (type.zero() as JsonValue));

/** Both responses to a dry run, without values that always differ. */
async function createBoth(resource: ServedResource, schema: Struct<unknown>, body: JsonObject) {
  const { apiVersion, kind } = resource;
  const object = { ...(withPresent(schema, body) as JsonObject), apiVersion, kind };
  const message = encodeMessage(schema, schema.decode(object).object);
  return {
    fromJson: await create(resource, 'application/json', Buffer.from(JSON.stringify(object))),
    fromProtobuf: await create(
      resource,
      protobuf,
      writeEnvelope({ apiVersion, kind, message }, orch.protobufMagic),
    ),
  };
}

async function create(resource: ServedResource, type: string, body: Buffer) {
  const response = await fetch(`${client.url}${collectionOf(resource)}?dryRun=All&fieldManager=test`, {
    method: 'POST',
    headers: { 'content-type': type, accept: 'application/json' },
    body: new Uint8Array(body),
  });
  const text = (await response.text())
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/orch-api-access-[a-z0-9]{5}/g, 'orch-api-access');
  return { code: response.status, body: JSON.parse(text, maskChance) as JsonValue };
}

/** Times and addresses that the server generates. */
function maskChance(key: string, value: unknown): unknown {
  const isMadeUp = /^(time|.*[tT]imestamp|clusterIPs?|nodePort)$/.test(key);
  return isMadeUp && value !== null ? typeof value : value;
}

/** JSON in which every struct is present and empty, with one element in each list and map. A recursive type is nested once. */
function hollowOf(type: Type, around: readonly Type[]): JsonValue | undefined {
  if (type instanceof ListType) return wrapped(hollowOf(type.element, around), (one) => [one]);
  if (type instanceof MapType) return wrapped(hollowOf(type.element, around), (key) => ({ key }));
  if (type instanceof UnionType) {
    const found = Object.values(type.alternatives).find((alternative) => alternative.type instanceof Struct);
    return found && hollowOf(found.type, around);
  }
  if (!(type instanceof Struct)) return undefined;
  if (around.includes(type)) return {};
  const inside = [...around, type];
  const members = Object.entries(type.fields as Record<string, Field>).flatMap(([name, field]) => {
    const member = hollowOf(field.type, inside);
    return member === undefined ? [] : [[name, member] as const];
  });
  return Object.fromEntries(members);
}

function wrapped(value: JsonValue | undefined, wrap: (value: JsonValue) => JsonValue): JsonValue | undefined {
  return value === undefined ? undefined : wrap(value);
}
