import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { apply, ownersIn } from '../support/server-side-apply.ts';

const server = testServer();
const path = '/api/v1/namespaces/default/configmaps/bounds';
const intent = (more: object = {}, metadata: object = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bounds', ...metadata }, ...more });
const head = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bounds"}';
const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bounds}\n';
const conversion = 'error decoding YAML: error converting YAML to JSON: ';

/** Each line expands to nine times the one above: a YAML alias bomb. */
const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]', ...[...'abcdefgh'].map(nineOf)].join('\n');
function nineOf(name: string): string {
  const next = String.fromCharCode(name.charCodeAt(0) + 1);
  return `${next}: &${next} [${Array.from({ length: 9 }, () => `*${name}`).join(', ')}]`;
}

/** Invalid applied configurations, with the error messages of the reference. */
const refusals: [what: string, body: string, code: number, reason: string, message: string][] = [
  [
    'a body of more than 3 MiB',
    intent({ data: { a: 'x'.repeat(3 << 20) } }),
    413,
    'RequestEntityTooLarge',
    'Request entity too large: limit is 3145728',
  ],
  [
    'JSON that is very deep',
    `${head},"data":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    400,
    'BadRequest',
    `${conversion}yaml: exceeded max depth of 10000`,
  ],
  [
    'YAML whose aliases stand for very much',
    yaml + bomb,
    400,
    'BadRequest',
    `${conversion}yaml: document contains excessive aliasing`,
  ],
  [
    'YAML that contains itself',
    `${yaml}data: &x {a: *x}\n`,
    400,
    'BadRequest',
    `${conversion}yaml: anchor 'x' value contains itself`,
  ],
  [
    'broken YAML',
    'a:\n\tb: c\n',
    400,
    'BadRequest',
    `${conversion}yaml: line 2: found character that cannot start any token`,
  ],
  [
    'a list',
    '[]',
    400,
    'BadRequest',
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  ['nothing', '', 400, 'BadRequest', 'invalid object type: /, Kind='],
  [
    'another kind',
    '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"bounds"}}',
    400,
    'BadRequest',
    'invalid object type: /v1, Kind=Secret',
  ],
  [
    'another name',
    intent({}, { name: 'other' }),
    400,
    'BadRequest',
    'the name of the object (other) does not match the name on the URL (bounds)',
  ],
  [
    'managedFields',
    intent({}, { managedFields: [] }),
    400,
    'BadRequest',
    'metadata.managedFields must be nil',
  ],
  [
    'more than a ConfigMap holds',
    intent({ data: { a: 'x'.repeat(2 << 20) } }),
    422,
    'Invalid',
    'ConfigMap "bounds" is invalid: []: Too long: may not be more than 1048576 bytes',
  ],
];

for (const [what, body, code, reason, message] of refusals) {
  test(`${what} is rejected`, async () => {
    const response = await apply(server, path, 'alice', body);
    assert.deepEqual(
      [response.code, response.body.kind, response.body.reason, response.body.message],
      [code, 'Status', reason, message],
    );
    assert.equal((await server.get(path)).code, 404, 'nothing is made');
  });
}

test('small YAML aliases are accepted', async () => {
  const { body } = await apply(server, path, 'alice', `${yaml}data: {a: &x hello, b: *x}\n`, {
    dryRun: true,
  });
  assert.deepEqual(body.data, { a: 'hello', b: 'hello' });
});

test('an apply without a valid fieldManager is rejected', async () => {
  const refused = async (query: string) => {
    const response = await server.request('PATCH', `${path}?${query}`, intent(), {
      'content-type': 'application/apply-patch+yaml',
    });
    assert.equal(response.code, 422);
    return response.body.message.replace(/^PatchOptions\.meta\.\S+ "" is invalid: /, '');
  };
  assert.equal(await refused(''), 'fieldManager: Required value: is required for apply patch');
  assert.equal(await refused('fieldManager='), 'fieldManager: Required value: is required for apply patch');
  assert.equal(
    await refused(`fieldManager=${'x'.repeat(129)}`),
    'fieldManager: Too long: may not be more than 128 bytes',
  );
  assert.equal(
    await refused('fieldManager=a%0Ab'),
    'fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
  );
  const forced = await server.request(
    'PATCH',
    `${path}?force=true`,
    {},
    {
      'content-type': 'application/merge-patch+json',
    },
  );
  assert.match(forced.body.message, /force: Forbidden: may not be specified for non-apply patch$/);
});

test('very many fields and elements are owned one by one, quickly', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `k${i}`);
  const data = Object.fromEntries(many.map((key) => [key, 'x']));
  const finalizers = many.slice(0, 5_000).map((key) => `e.co/${key}`);
  const body = intent({ data }, { finalizers });
  const first = await apply(server, path, 'alice', body, { dryRun: true });
  assert.equal(first.code, 201, first.text.slice(0, 300));
  const [owner] = (first.body.metadata as unknown as { managedFields: { fieldsV1: object }[] }).managedFields;
  const fields = owner!.fieldsV1 as Record<'f:data' | 'f:metadata', Record<string, object>>;
  assert.equal(Object.keys(fields['f:data']).length, many.length);
  assert.equal(Object.keys(fields['f:metadata']['f:finalizers']!).length, finalizers.length);
});

test('names of Object.prototype are ordinary names, or rejected', async () => {
  const annotations = { constructor: 'a', toString: 'b' };
  const { body } = await apply(
    server,
    path,
    'alice',
    intent({ data: { hasOwnProperty: 'c' } }, { annotations }),
    {
      dryRun: true,
    },
  );
  assert.deepEqual(body.metadata.annotations, annotations);
  assert.deepEqual(body.data, { hasOwnProperty: 'c' });
  const odd = await apply(server, path, 'alice', `${head},"__proto__":{"a":1}}`);
  assert.match(odd.body.message, /\.__proto__: field not declared in schema$/);
});

test('an object that would exceed the size limit by managedFields is rejected and unchanged', async () => {
  const data = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${i}`.padEnd(240, 'x'), '']));
  const answers: number[] = [];
  let message = '';
  for (let owner = 1; answers.at(-1) !== 413 && owner < 20; owner++) {
    const response = await apply(server, path, `owner-${owner}`, intent({ data }));
    answers.push(response.code);
    message = response.body.message;
  }
  assert.ok(answers.length > 3, `refused after ${answers.length}`);
  assert.match(
    message,
    /^Request entity too large: the object would take \d+ bytes, and at most 2097152 are kept$/,
  );
  const kept = await server.get(path);
  assert.equal(ownersIn(kept).length, answers.length - 1);
});
