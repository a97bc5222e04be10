// CEL rules of custom resources that are expensive for a small object: a worker thread evaluates them. Each write is sent to a
// server with and to one without worker threads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RealServer } from '../hardening/real-server.ts';

const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
const foos = '/apis/example.com/v1/namespaces/default/foos';
const crd = {
  metadata: { name: 'foos.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'foos', kind: 'Foo' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: integers(), status: { type: 'object', properties: { numbers: integers() } } },
          },
        },
      },
    ],
  },
};

/** 300 integers make 90,000 comparisons. */
function integers(): object {
  const rule = 'self.all(a, self.all(b, a + b < 1000))';
  const items = { type: 'integer' };
  return { type: 'array', maxItems: 500, items, 'x-orch-validations': [{ rule, message: 'too large' }] };
}

async function prepare(server: RealServer): Promise<void> {
  assert.equal((await server.post(definitions, crd)).code, 201);
  for (let i = 0; i < 200 && (await server.ask(foos)).code !== 200; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const threaded = new RealServer({ writeThreads: 1 }, prepare);
const plain = new RealServer({ writeThreads: 0 }, prepare);

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The response of both servers, without the values that a server generates. */
async function both(method: string, path: string, body: unknown, type = 'application/json'): Promise<string> {
  const [one, other] = await Promise.all(
    [threaded, plain].map(async (server) => {
      const headers = { 'content-type': type };
      const { code, text } = await server.send(method, path, body, { headers });
      return `${code} ${text.replace(/"(uid|resourceVersion|creationTimestamp|time)":"[^"]*"/g, '"$1":""')}`;
    }),
  );
  assert.equal(one, other);
  return one!;
}

async function preparedByWorkers(): Promise<number> {
  const { text } = await threaded.ask('/metrics');
  return Number(/apiserver_prepared_writes_total\{thread="other"\} (\d+)/.exec(text)?.[1]);
}

test('a small object whose rules are expensive is validated on a worker thread', async () => {
  const before = await preparedByWorkers();
  assert.match(await both('POST', foos, { ...foo('a'), spec: numbers(300) }), /^201 /);
  assert.match(await both('POST', foos, { ...foo('b'), spec: [...numbers(299), 500] }), /^422 .*too large/);
  const merge = 'application/merge-patch+json';
  assert.match(await both('PATCH', `${foos}/a`, { spec: numbers(301) }, merge), /^200 /);
  assert.match(
    await both('PATCH', `${foos}/a/status`, { status: { numbers: numbers(300) } }, merge),
    /^200 /,
  );
  assert.match(await both('POST', foos, { ...foo('c'), spec: numbers(500) }), /^422 .*exceeds limit|^201 /);
  assert.equal((await preparedByWorkers()) - before, 5);
});

test('a small object whose rules are cheap is validated on the serving thread', async () => {
  const before = await preparedByWorkers();
  assert.match(await both('POST', foos, { ...foo('d'), spec: numbers(30) }), /^201 /);
  assert.equal(await preparedByWorkers(), before);
});

function foo(name: string): object {
  return { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name } };
}
