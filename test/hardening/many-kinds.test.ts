// Hundreds of CRDs must not block the event loop: not while they are created, not when all are listed, and not when one more
// is created.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { quickly, turnLimit } from './event-loop-limits.ts';
import type { Sent } from './loop-client.ts';
import { MeasuredLoop } from './measured-loop.ts';
import { RealServer } from './real-server.ts';

const kinds = 300;
/** This many are in one group, and each other one has its own group. */
const together = 100;
/** The maximum CPU time of one turn of the event loop, in milliseconds. */
const longest = 50;

const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

const text = (about: string) => ({ type: 'string', description: `${about} `.repeat(12), maxLength: 64 });
const part = (depth: number): object => ({
  type: 'object',
  properties: {
    name: text('The name by which others find it.'),
    size: { type: 'integer', default: 1, minimum: 0 },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    ...(depth > 0 && { first: part(depth - 1), others: { type: 'array', items: part(depth - 1) } }),
  },
});
const schema = { type: 'object', properties: { spec: part(3), status: part(2) } };

const groupOf = (index: number) => (index < together ? 'all.example.com' : `g${index}.example.com`);

const definition = (index: number) => ({
  metadata: { name: `things${index}.${groupOf(index)}` },
  spec: {
    group: groupOf(index),
    scope: 'Namespaced',
    names: { plural: `things${index}`, kind: `Thing${index}` },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

const server = new RealServer({ verbosity: 0 }, async (server) => {
  loop = new MeasuredLoop(server);
  // The first request waits for caches and for optimized code.
  for (const path of ['/openapi/v2', '/openapi/v3', '/apis', '/']) await ask({ path });
  for (let index = 0; index < 30; index++) await make(kinds + index);
  for (const path of ['/openapi/v2', '/openapi/v3', '/apis', '/']) await ask({ path });
});
let loop: MeasuredLoop;
after(() => loop?.stop());

const ask = (request: Partial<Sent>) => loop.ask(request);

const make = (index: number) =>
  ask({ method: 'POST', path: definitions, body: JSON.stringify(definition(index)) });

async function isQuick(request: Partial<Sent>): Promise<void> {
  const { code } = await quickly(longest, () => ask(request));
  assert.equal(code, 200);
}

/** Requests whose response covers all CRDs. */
const overviews: Readonly<Record<string, Partial<Sent>>> = {
  discovery: { path: '/apis' },
  'discovery of everything': {
    path: '/apis',
    headers: { accept: 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList' },
  },
  'the kinds of a large group': { path: '/apis/all.example.com/v1' },
  'the index of OpenAPI': { path: '/openapi/v3' },
  'the document of a large group': { path: '/openapi/v3/apis/all.example.com/v1' },
  'everything in OpenAPI v2': { path: '/openapi/v2', headers: { 'accept-encoding': 'gzip' } },
  'everything in OpenAPI v2, as Protobuf': {
    path: '/openapi/v2',
    headers: {
      'accept-encoding': 'gzip',
      accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    },
  },
  'all paths': { path: '/' },
};

test('other requests are served while hundreds of CRDs are created', async () => {
  let turn = 0;
  for (let index = 0; index < kinds; index++) {
    const made = await make(index);
    assert.equal(made.code, 201);
    turn = Math.max(turn, made.turn);
  }
  assert.ok(turn < turnLimit(longest), `${turn.toFixed(1)} ms in one turn`);
});

describe('lists and documents of all CRDs', () => {
  for (const [what, request] of Object.entries(overviews)) test(what, () => isQuick(request));
});

describe('the same after one more CRD', () => {
  for (const [index, [what, request]] of Object.entries(overviews).entries()) {
    test(what, async () => {
      assert.equal((await make(1_000 + index)).code, 201);
      await isQuick(request);
    });
  }
});

test('the first object of a custom resource', async () => {
  const body = JSON.stringify({
    apiVersion: 'g200.example.com/v1',
    kind: 'Thing200',
    metadata: { name: 'a' },
  });
  const path = '/apis/g200.example.com/v1/namespaces/default/things200';
  const { code, turn } = await ask({ method: 'POST', path, body });
  assert.equal(code, 201);
  assert.ok(turn < turnLimit(longest), `${turn.toFixed(1)} ms in one turn`);
});

test('afterwards the server still responds', async () => {
  assert.equal((await server.ask('/readyz')).code, 200);
});
