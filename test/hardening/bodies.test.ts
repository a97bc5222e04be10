import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import type { JsonValue } from '../../src/codec/json/json-value.ts';
import type { HttpResponse } from '../support/http.ts';
import { toProtobuf } from '../support/media-types.ts';
import { RealServer } from './real-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
const server = new RealServer({ featureGates: { CBORServingAndStorage: true } }, async (server) => {
  await server.post(configMaps, { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'v' } });
});

const [jsonPatch, mergePatch, strategicPatch, apply] = [
  'json-patch+json',
  'merge-patch+json',
  'strategic-merge-patch+json',
  'apply-patch+yaml',
].map((type) => `application/${type}`) as [string, string, string, string];

const patch = (type: string, body: unknown, path = `${configMaps}/a`): Promise<HttpResponse> =>
  server.send('PATCH', path + (type === apply ? '?fieldManager=m&force=true' : ''), body, {
    headers: { 'content-type': type },
  });

const numbered = (count: number) => Array.from({ length: count }, (_, i) => [`k${i}`, ''] as const);

afterEach(async () => {
  assert.equal((await server.ask('/readyz')).code, 200, 'the server lives on');
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

/** Bytes of memory in use after garbage collection, as far as it can be triggered. */
async function grown(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss;
  await work();
  return process.memoryUsage().rss - before;
}

describe('a small body is not expanded to many megabytes', () => {
  test('a JSON patch that copies its own copies', async () => {
    const steps: object[] = [{ op: 'add', path: '/data/k', value: 'x'.repeat(1_000) }];
    for (let i = 0; i < 40; i++) steps.push({ op: 'copy', from: '/data', path: `/data/c${i}` });
    const bytes = await grown(async () => {
      const { code } = await patch(jsonPatch, steps);
      assert.equal(code, 422);
    });
    assert.ok(bytes < 200 * 1024 * 1024, String(bytes));
  });

  test('a JSON patch that doubles a list', async () => {
    const steps: object[] = [{ op: 'add', path: '/metadata/finalizers', value: ['a.b/c'] }];
    for (let i = 0; i < 9_000; i++)
      steps.push({ op: 'copy', from: '/metadata/finalizers', path: '/metadata/finalizers/-' });
    assert.equal((await patch(jsonPatch, steps)).code, 422);
  });

  test('YAML aliases, in a body and in an apply', async () => {
    const lines = ['a0: &a0 [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx]'];
    for (let i = 1; i < 40; i++)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(',')}]`,
      );
    const bomb = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n${lines.join('\n')}\n`;
    const bytes = await grown(async () => {
      const created = await server.post(configMaps, bomb, {
        headers: { 'content-type': 'application/yaml' },
      });
      assert.equal(created.code, 400, created.text.slice(0, 200));
      assert.equal((await patch(apply, bomb)).code, 400);
    });
    assert.ok(bytes < 200 * 1024 * 1024, String(bytes));
  });

  test('YAML merge keys', async () => {
    const lines = ['b0: &b0 {k: xxxxxxxxxxxxxxxx}'];
    for (let i = 1; i < 200; i++) lines.push(`b${i}: &b${i} {<<: *b${i - 1}, k${i}: x}`);
    const body = `metadata: {name: merged}\n${lines.join('\n')}\n`;
    const { code } = await server.post(configMaps, body, { headers: { 'content-type': 'application/yaml' } });
    assert.ok(code === 400 || code === 201, String(code));
  });

  test('many concurrent requests leave no memory behind', async () => {
    const body = JSON.stringify({ metadata: { name: 'a' }, data: { k: 'x'.repeat(500_000) } });
    const round = () =>
      Promise.all(Array.from({ length: 8 }, () => server.post(`${configMaps}?dryRun=All`, body)));
    for (let i = 0; i < 3; i++) await round();
    // 48 bodies of 500 kB each: a server that retained them, parsed or not, would grow by far more than half of that.
    const most = 48 * 500_000;
    const rounds = async () => {
      for (let i = 0; i < 6; i++) await round();
    };
    let bytes = await grown(rounds);
    // Memory that another thread has yet to release is not a leak: leaked memory is in every sample.
    for (let tries = 1; tries < 3 && bytes >= most; tries++) bytes = await grown(rounds);
    assert.ok(bytes < most, `${Math.round(bytes / 1024 / 1024)} MiB more`);
  });
});

describe('deeply nested bodies', () => {
  const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

  for (const [how, type, body] of [
    ['a merge patch', mergePatch, `{"data":${deep('{"a":', '}', 100_000).replace('}', '1}')}}`],
    ['a merge patch of lists', mergePatch, `{"data":${deep('[', ']', 1_000_000)}}`],
    ['a strategic merge patch', strategicPatch, `{"data":${deep('{"a":', '}', 100_000).replace('}', '1}')}}`],
    ['a JSON patch', jsonPatch, `[{"op":"add","path":"/data/x","value":${deep('[', ']', 1_000_000)}}]`],
    [
      'an apply',
      apply,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: ${deep('[', ']', 1_000_000)}\n`,
    ],
    [
      'a JSON patch with a path',
      jsonPatch,
      JSON.stringify([{ op: 'add', path: '/a'.repeat(500_000), value: 1 }]),
    ],
  ] as const) {
    test(`${how} is rejected`, async () => {
      const { code, text } = await patch(type, body);
      assert.ok(code === 400 || code === 422, `${code} ${text.slice(0, 200)}`);
    });
  }

  test('deeply nested managedFields are rejected', async () => {
    await server.post(configMaps, { metadata: { name: 'deep' } });
    const fieldsV1 = `{"f:data":${deep('{"f:a":', '}', 9_000).replace('}', '{}}')}}`;
    const entry = `{"manager":"m","operation":"Update","apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":${fieldsV1}}`;
    const { code } = await server.send(
      'PUT',
      `${configMaps}/deep`,
      `{"metadata":{"name":"deep","managedFields":[${entry}]}}`,
    );
    assert.ok(code >= 200 && code < 500, String(code));
  });
});

describe('numbers with millions of digits', () => {
  const digits = '9'.repeat(2_000_000);
  for (const [how, text] of [
    ['digits', digits],
    ['a fraction', `0.${digits}`],
    ['an exponent', '1e999999999'],
    ['an exponent below zero', '1e-999999999'],
    ['an exponent with very many digits', `1e${'9'.repeat(100_000)}`],
  ] as const) {
    test(`${how} in a numeric field`, async () => {
      const { code } = await server.post(revisions, `{"metadata":{"name":"n"},"revision":${text}}`);
      assert.ok(code === 400 || code === 422, String(code));
    });
    test(`${how} in a quantity`, async () => {
      const spec = `{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"${text}"}}}]}`;
      const { code } = await server.post(
        '/api/v1/namespaces/default/pods?dryRun=All',
        `{"metadata":{"name":"n"},"spec":${spec}}`,
      );
      assert.ok(code === 400 || code === 422 || code === 201, String(code));
    });
  }
});

describe('a body that is not stored', () => {
  const finalizers = (count: number) => Array<string>(count).fill('');
  const [authentication, authorization] = ['authentication', 'authorization'].map(
    (group) => `/apis/${group}.orch.io/v1`,
  );
  const namespace = '/api/v1/namespaces/default';
  for (const [resource, path, spec] of [
    ['selfsubjectreviews', `${authentication}/selfsubjectreviews`, undefined],
    ['tokenreviews', `${authentication}/tokenreviews`, { token: 'x' }],
    ['subjectaccessreviews', `${authorization}/subjectaccessreviews`, { user: 'x' }],
    ['selfsubjectaccessreviews', `${authorization}/selfsubjectaccessreviews`, {}],
    ['selfsubjectrulesreviews', `${authorization}/selfsubjectrulesreviews`, { namespace: 'default' }],
    [
      'localsubjectaccessreviews',
      `${authorization}/namespaces/default/localsubjectaccessreviews`,
      { user: 'x' },
    ],
    ['bindings', `${namespace}/bindings`, undefined],
    ['pods/binding', `${namespace}/pods/p/binding`, undefined],
    ['pods/eviction', `${namespace}/pods/p/eviction`, undefined],
    ['serviceaccounts/token', `${namespace}/serviceaccounts/default/token`, {}],
  ] as const) {
    test(`has few elements: ${resource}`, async () => {
      const metadata = { finalizers: finalizers(60_000) };
      const { code, text } = await server.post(path, { metadata, spec });
      assert.equal(code, 413, text.slice(0, 300));
      assert.match(text, /10000 fields and list items.*"reason":"RequestEntityTooLarge"/);
      const accepted = await server.post(path, { metadata: { finalizers: finalizers(9_000) }, spec });
      assert.notEqual(accepted.code, 413, accepted.text.slice(0, 300));
    });
  }

  test('has few elements: DeleteOptions', async () => {
    for (const path of [`${configMaps}/none`, `${configMaps}?labelSelector=none`]) {
      const dryRun = Array<string>(60_000).fill('');
      assert.equal((await server.send('DELETE', path, { dryRun })).code, 413);
      const accepted = await server.send('DELETE', path, { dryRun: Array(9_000).fill('All') });
      assert.notEqual(accepted.code, 413);
    }
  });

  test('has few elements in every format', async () => {
    const path = `${authentication}/selfsubjectreviews`;
    const send = (type: string, body: string | Buffer) =>
      server.post(path, body, { headers: { 'content-type': `application/${type}` } });
    const metadata = { finalizers: finalizers(50_000) };
    const aliases = `metadata:\n  finalizers: &a [${"'',".repeat(3_000)}]\nx: [${'*a,'.repeat(90)}]\n`;
    for (const [type, body] of [
      ['yaml', `metadata:\n  finalizers:\n${"  - ''\n".repeat(50_000)}`],
      ['yaml', `metadata:\r  finalizers:\r${"  - ''\r".repeat(50_000)}`],
      ['yaml', aliases],
      ['yaml', `metadata: {name: ${'x'.repeat(100_000)}}`],
      ['vnd.orch.protobuf', toProtobuf('SelfSubjectReview', { metadata })],
      ['cbor', encodeCbor({ metadata: { labels: Object.fromEntries(numbered(20_000)) } })],
    ] as const) {
      const { code, text } = await send(type, body);
      assert.equal(code, 413, `${type}: ${text.slice(0, 300)}`);
    }
  });

  test('may have long strings, up to 256 KiB', async () => {
    const review = (groups: string[]) => ({
      spec: { user: 'x', groups, nonResourceAttributes: { path: '/', verb: 'get' } },
    });
    const path = `${authorization}/subjectaccessreviews`;
    const { code, text } = await server.post(path, review([',['.repeat(130_000)]));
    assert.equal(code, 201, text.slice(0, 300));
    const refused = await server.post(path, review([',['.repeat(132_000)]));
    assert.equal(refused.code, 413);
    assert.match(refused.text, /limit is 262144/);
  });
});

describe('names of Object.prototype are ordinary names', () => {
  const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const body = (name: string): JsonValue =>
    JSON.parse(
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{${inherited.map((key) => `"${key}":"x"`).join(',')}}}`,
    );
  const dataOf = (answer: HttpResponse) => Object.entries(JSON.parse(answer.text).data as object).sort();
  const expected = inherited.map((key) => [key, 'x']).sort();

  for (const [form, type, write] of [
    ['JSON', 'application/json', (value: JsonValue) => JSON.stringify(value)],
    ['CBOR', 'application/cbor', (value: JsonValue) => encodeCbor(value)],
    [
      'Protobuf',
      'application/vnd.orch.protobuf',
      (value: JsonValue) => toProtobuf('ConfigMap', value as never),
    ],
  ] as const) {
    test(`in ${form}`, async () => {
      const name = `proto-${form.toLowerCase()}`;
      const answer = await server.post(configMaps, write(body(name)), { headers: { 'content-type': type } });
      if (answer.code === 415) return assert.fail(answer.text);
      assert.equal(answer.code, 201, answer.text);
      assert.deepEqual(dataOf(answer), expected);
    });
  }

  test('in every kind of patch, and they can be removed again', async () => {
    const changes = `{"data":{"__proto__":"x","constructor":"x"}}`;
    for (const type of [mergePatch, strategicPatch]) {
      const answer = await patch(type, changes);
      assert.equal(answer.code, 200, answer.text);
      assert.ok(answer.text.includes('"__proto__":"x"'));
      const removed = await patch(type, '{"data":{"__proto__":null,"constructor":null}}');
      assert.deepEqual(dataOf(removed), [['k', 'v']]);
    }
    const added = await patch(jsonPatch, '[{"op":"add","path":"/data/__proto__","value":"x"}]');
    assert.ok(added.text.includes('"__proto__":"x"'), added.text);
    const gone = await patch(jsonPatch, '[{"op":"remove","path":"/data/__proto__"}]');
    assert.deepEqual(dataOf(gone), [['k', 'v']]);
    const applied = await patch(
      apply,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: {__proto__: x, constructor: x}\n',
      `${configMaps}/applied`,
    );
    assert.equal(applied.code, 201, applied.text);
    assert.match(applied.text, /"f:__proto__":\{\}/);
    const less = await patch(
      apply,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: {constructor: x}\n',
      `${configMaps}/applied`,
    );
    assert.deepEqual(dataOf(less), [['constructor', 'x']]);
  });

  test('as paths of a JSON patch they do not exist', async () => {
    for (const path of [
      '/__proto__/polluted',
      '/constructor/prototype/polluted',
      '/data/__proto__/polluted',
      '/metadata/labels/constructor/prototype/polluted',
    ]) {
      for (const op of ['add', 'replace', 'test', 'remove']) {
        const { code, text } = await patch(jsonPatch, [{ op, path, value: 'yes' }]);
        assert.equal(code, 422, `${op} ${path}: ${text}`);
      }
      assert.equal((await patch(jsonPatch, [{ op: 'copy', from: '/metadata', path }])).code, 422);
    }
  });

  test('as labels, selectors, parameters and managed fields', async () => {
    const labelled = await server.post(
      configMaps,
      '{"metadata":{"name":"labelled","labels":{"constructor":"x"}}}',
    );
    assert.equal(labelled.code, 201);
    const found = await server.ask(`${configMaps}?labelSelector=constructor%3Dx`);
    assert.equal(JSON.parse(found.text).items.length, 1);
    for (const selector of ['toString', 'valueOf', 'hasOwnProperty']) {
      assert.equal(
        JSON.parse((await server.ask(`${configMaps}?labelSelector=${selector}`)).text).items.length,
        0,
      );
      assert.equal((await server.ask(`${configMaps}?fieldSelector=${selector}%3Dx`)).code, 400);
    }
    assert.equal((await server.ask(`${configMaps}?__proto__=x&constructor=y&toString=z`)).code, 200);
    const refused = await server.post(configMaps, '{"metadata":{"name":"l2","labels":{"__proto__":"x"}}}');
    assert.equal(refused.code, 422, 'no label begins with an underscore');
    const owned = await server.post(
      configMaps,
      '{"metadata":{"name":"owned","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:__proto__":{"f:constructor":{}}}}]}}',
    );
    assert.ok(owned.code === 201 || owned.code === 422, owned.text);
  });

  test('as unknown fields they are reported like any other', async () => {
    for (const field of ['__proto__', 'constructor']) {
      const text = `{"metadata":{"name":"u"},"${field}":{"polluted":1}}`;
      const { code, text: why } = await server.post(`${configMaps}?fieldValidation=Strict`, text);
      assert.equal(code, 400);
      assert.ok(why.includes(`unknown field \\"${field}\\"`), why);
    }
  });
});

describe('a forged continue token', () => {
  const forged = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url');
  const v = 'meta.orch.io/v1';

  test('does not leave the listed range', async () => {
    await server.post('/api/v1/namespaces/default/secrets', { metadata: { name: 'hidden' } });
    for (const start of [
      '../secrets/default/\0',
      '/../../secrets/default/\0',
      'default/../../secrets/\0',
      '..',
      './a\0',
      'a/../b\0',
      '/\0',
      '\0',
      '\uffff\0',
      '~\0',
    ]) {
      const { code, text } = await server.ask(`${configMaps}?continue=${forged({ v, rv: 1, start })}`);
      assert.ok(code === 200 || code === 400 || code === 410, `${JSON.stringify(start)}: ${code}`);
      assert.ok(!text.includes('hidden'));
    }
  });

  for (const [what, fields] of Object.entries({
    'a revision to come': { v, rv: 2 ** 50, start: 'a\0' },
    'a revision below zero': { v, rv: -5, start: 'a\0' },
    'no revision': { v, rv: 0, start: 'a\0' },
    'a fraction': { v, rv: 1.5, start: 'a\0' },
    'a number as text': { v, rv: '1', start: 'a\0' },
    'no start': { v, rv: 1 },
    'an object as start': { v, rv: 1, start: {} },
    'another version': { v: '__proto__', rv: 1, start: 'a\0' },
    'a list': [],
    'a very long start': { v, rv: 1, start: `${'a/'.repeat(20_000)}\0` },
  })) {
    test(`${what} is rejected, or answered at once`, async () => {
      const { code } = await server.ask(`${configMaps}?limit=1&continue=${forged(fields)}`);
      assert.ok(code === 200 || code === 400 || code === 410, String(code));
    });
  }

  test('invalid bytes', async () => {
    for (const token of ['%00', 'e30', 'bnVsbA', '____', 'A', 'Ww'.repeat(10_000)]) {
      assert.equal((await server.ask(`${configMaps}?continue=${token}`)).code, 400, token.slice(0, 20));
    }
  });
});

test('a regular expression with exponential backtracking is matched in linear time', async () => {
  const crd = {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { a: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(5_000)}!` } },
            },
          },
        },
      ],
    },
  };
  const path = '/apis/apiextensions.orch.io/v1/customresourcedefinitions?dryRun=All';
  const { code, text } = await server.post(path, crd);
  assert.equal(code, 422, text);
  assert.match(text, /should match/);
});
