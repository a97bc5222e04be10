import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { computeBlame, type OwnedValue } from '../../src/cli/blame/blame.ts';
import type { JsonObject, JsonValue } from '../../src/codec/json/json-value.ts';
import { type TestResponse, testServer } from '../support/client.ts';
import { apply, ok, ownersIn } from '../support/server-side-apply.ts';

// Every object of a property is another Service.
const server = testServer({ serviceClusterIpRange: ['10.0.0.0/16'] });

/** A kind with its required fields, and optional parts of applied configurations. */
interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly collection: string;
  readonly minimum: JsonObject;
  /**
   * Each part alone or with any others makes a valid object. None has values that JSON omits, such as an empty map or false:
   * these are owned although the object does not have them.
   */
  readonly intents: fc.Arbitrary<JsonObject>;
  /** Fields that the server allocates, differently each time. */
  readonly allocated?: readonly string[];
}

const value = fc.constantFrom('x', 'y');
const some = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
const maybe = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
const metadata = maybe({
  labels: some(['app', 'tier', 'example.com/team']),
  annotations: some(['note', 'example.com/by']),
  finalizers: fc.subarray(['example.com/a', 'example.com/b', 'example.com/c']),
});

const environment = fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B', 'C'), value }), {
  selector: ({ name }) => name,
});
const containerPorts = fc.uniqueArray(
  fc.record(
    { containerPort: fc.constantFrom(80, 53), protocol: fc.constantFrom('TCP', 'UDP') },
    { requiredKeys: ['containerPort'] },
  ),
  { selector: ({ containerPort, protocol = 'TCP' }) => `${containerPort}/${protocol}` },
);
const container = (name: string, image: string) =>
  fc.record(
    {
      name: fc.constant(name),
      image: fc.constant(image),
      args: fc.array(value, { minLength: 1, maxLength: 2 }),
      env: environment,
      ports: containerPorts,
      workingDir: fc.constantFrom('/a', '/b'),
    },
    { requiredKeys: ['name', 'image'], noNullPrototype: true },
  );
const containers = fc
  .tuple(container('main', 'nginx'), container('proxy', 'envoy'))
  .chain((both) => fc.subarray(both));
const servicePorts = fc.uniqueArray(
  fc.record(
    {
      port: fc.constantFrom(80, 53),
      protocol: fc.constantFrom('TCP', 'UDP'),
      targetPort: fc.constantFrom(8080, 'web'),
    },
    { requiredKeys: ['port'] },
  ),
  { selector: ({ port, protocol = 'TCP' }) => `${port}/${protocol}` },
);

const kinds: readonly Kind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    collection: '/api/v1/namespaces/default/configmaps',
    minimum: { data: { least: 'x' } },
    intents: maybe({ metadata, data: some(['a', 'b', 'c']), binaryData: fc.constant({ d: 'eA==' }) }),
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    collection: '/api/v1/namespaces/default/services',
    // Several ports must have names.
    minimum: { spec: { ports: [{ port: 443, name: 'p443' }] } },
    intents: maybe({
      metadata,
      spec: maybe({
        selector: some(['app', 'tier']),
        sessionAffinity: fc.constantFrom('None', 'ClientIP'),
        publishNotReadyAddresses: fc.constant(true),
        ports: servicePorts.map((ports) =>
          ports.map((port) => ({ ...port, name: `p${port.port}${(port.protocol ?? 'TCP').toLowerCase()}` })),
        ),
      }),
    }),
    allocated: ['clusterIP', 'clusterIPs'],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    collection: '/apis/apps/v1/namespaces/default/deployments',
    minimum: {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'nginx' }] },
        },
      },
    },
    intents: maybe({
      metadata,
      spec: maybe({
        replicas: fc.nat(3),
        paused: fc.constant(true),
        minReadySeconds: fc.constantFrom(1, 2),
        template: maybe({
          metadata: maybe({ labels: some(['tier', 'team']) }),
          spec: maybe({ containers, nodeSelector: some(['disk']) }),
        }),
      }),
    }),
  },
];

let count = 0;
/** The path of a new object, created by an apply of its required fields. */
async function made(kind: Kind): Promise<string> {
  const path = `${kind.collection}/laws-${count++}`;
  ok(await send(kind, path, 'base', kind.minimum), 201);
  return path;
}

function send(
  kind: Kind,
  path: string,
  manager: string,
  intent: JsonObject,
  force = false,
): Promise<TestResponse> {
  const { apiVersion, kind: name } = kind;
  const whole = { ...intent, apiVersion, kind: name };
  const named = { ...(intent.metadata as JsonObject | undefined), name: path.split('/').at(-1)! };
  return apply(server, path, manager, { ...whole, metadata: named }, { force });
}

/** A sequence of forced applies by a few managers, and its result. */
const histories = ({ intents }: Kind) =>
  fc.array(fc.tuple(fc.constantFrom('alice', 'bob', 'base'), intents), { maxLength: 3 });

async function afterHistory(kind: Kind, history: [string, JsonObject][]): Promise<string> {
  const path = await made(kind);
  for (const [manager, intent] of history) {
    const whole = manager === 'base' ? merged(kind.minimum, intent) : intent;
    ok(await send(kind, path, manager, whole, true));
  }
  return path;
}

/** Merges two configurations that agree on common fields; lists are concatenated. */
function merged(one: JsonValue, other: JsonValue): JsonObject {
  return mergedValue(one, other) as JsonObject;
}

function mergedValue(one: JsonValue | undefined, other: JsonValue | undefined): JsonValue {
  if (one === undefined) return other!;
  if (other === undefined) return one;
  if (Array.isArray(one) && Array.isArray(other)) {
    const nameOf = (item: JsonValue) => JSON.stringify((item as JsonObject)?.name ?? item);
    const names = new Set(other.map(nameOf));
    return [...one.filter((item) => !names.has(nameOf(item))), ...other];
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, mergedValue((one as JsonObject)[key], (other as JsonObject)[key])]),
  );
}

/** An object without values that differ between writes or objects, and with its map lists sorted. */
function essence({ body }: TestResponse, { allocated = [] }: Kind): JsonValue {
  const { labels, annotations, finalizers } = body.metadata;
  const { status: _, metadata: __, ...rest } = body as unknown as JsonObject;
  const text = JSON.stringify({ ...rest, metadata: { labels, annotations, finalizers } }, (key, member) =>
    allocated.includes(key) ? undefined : inOrder(key, member),
  );
  return JSON.parse(text) as JsonValue;
}

function inOrder(key: string, member: unknown): unknown {
  if (!['containers', 'env', 'ports', 'finalizers'].includes(key) || !Array.isArray(member)) return member;
  const text = (item: unknown) => JSON.stringify(item);
  return [...member].sort((one, other) => (text(one) < text(other) ? -1 : 1));
}

/** The managers and their fields, without times. */
const owners = (answer: TestResponse) =>
  Object.fromEntries(ownersIn(answer).map(({ manager, fieldsV1 }) => [manager, fieldsV1]));

/** The object reduced to its owned fields. */
function ownedPart({ value: whole, members, items, owners: its }: OwnedValue): JsonValue | undefined {
  if (members && (members.size > 0 || its.length === 0)) {
    const kept = [...members].flatMap(([key, member]) => {
      const part = ownedPart(member);
      return part === undefined ? [] : [[key, part] as const];
    });
    return kept.length > 0 ? Object.fromEntries(kept) : undefined;
  }
  if (items && (items.length > 0 || its.length === 0)) {
    const kept = items.flatMap((item) => ownedPart(item) ?? []);
    return kept.length > 0 ? kept : undefined;
  }
  return its.length > 0 ? whole : undefined;
}

for (const kind of kinds) {
  describe(`applying to a ${kind.kind}`, () => {
    /** A property of an object with a sequence of applies, and further configurations. */
    const law = (
      name: string,
      intents: number,
      holds: (path: string, intents: JsonObject[], history: [string, JsonObject][]) => Promise<void>,
    ) =>
      test(name, () =>
        fc.assert(
          fc.asyncProperty(
            histories(kind),
            fc.array(kind.intents, { minLength: intents, maxLength: intents }),
            async (history, given) => holds(await afterHistory(kind, history), given, history),
          ),
          { numRuns: 20 },
        ),
      );

    law('the same intent twice changes nothing', 1, async (path, [intent]) => {
      const once = ok(await send(kind, path, 'dave', intent!, true));
      server.server.clock.advance(1500);
      const twice = ok(await send(kind, path, 'dave', intent!));
      assert.deepEqual(twice.body, once.body);
    });

    law('an intent and then none gives back what was there', 1, async (path, [intent]) => {
      const before = await server.get(path);
      if ((await send(kind, path, 'dave', intent!)).code === 409) return;
      const after = ok(await send(kind, path, 'dave', {}));
      assert.deepEqual(essence(after, kind), essence(before, kind));
      assert.deepEqual(owners(after), owners(before));
    });

    law('what is owned, and what the server adds by itself, is the whole object', 0, async (path) => {
      const found = await server.get(path);
      const { root, missing } = computeBlame(found.body as unknown as JsonObject);
      assert.deepEqual(missing, []);
      const { metadata: named, ...part } = (ownedPart(root) ?? {}) as JsonObject;
      const again = await server.request('POST', `${kind.collection}?dryRun=All`, {
        ...part,
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadata: { ...(named as JsonObject | undefined), name: 'again' },
      });
      assert.deepEqual(essence(ok(again, 201), kind), essence(found, kind));
    });

    law('force always succeeds, and what it says is there', 1, async (path, [intent]) => {
      const forced = ok(await send(kind, path, 'dave', intent!, true));
      const again = await send(kind, path, 'erin', intent!);
      assert.deepEqual(essence(ok(again), kind), essence(forced, kind), 'it says nothing new');
    });

    law('two who say different things may come in any order', 2, async (path, [one, other], history) => {
      const twin = await afterHistory(kind, history);
      const first = await send(kind, path, 'dave', one!);
      const second = await send(kind, path, 'erin', other!);
      if (first.code === 409 || second.code === 409) return;
      ok(await send(kind, twin, 'erin', other!));
      const swapped = ok(await send(kind, twin, 'dave', one!));
      assert.deepEqual(essence(swapped, kind), essence(second, kind));
      assert.deepEqual(owners(swapped), owners(second));
    });
  });
}
