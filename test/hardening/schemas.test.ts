// The author of a CRD or of a custom resource must not block the event loop: expensive schemas are rejected, or processed in
// small steps within limits.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  anything,
  definitions,
  fields,
  HostileDefinitions,
  type Kind,
  list,
  object,
  objectsOf,
  rules,
  spec,
  times,
} from './hostile-definitions.ts';

const kinds = new HostileDefinitions();
const { define, make, isQuick, ask } = kinds;

describe('a very deeply nested schema is rejected', () => {
  const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
  for (const [what, of] of Object.entries({
    properties: (n) =>
      nested(n, '{"type":"object","properties":{"a":', '}}').replace('}}', '{"type":"string"}}}'),
    items: (n) => nested(n, '{"type":"array","items":', '}').replace('}', '{"type":"string"}}'),
    not: (n) => `{"type":"object",${nested(n, '"not":{', '}').replace('{}', '{"minProperties":1}')}}`,
    'anyOf of anyOf': (n) => `{"type":"object",${nested(n, '"anyOf":[{', '}]')}}`,
    'a default': (n) =>
      `{"type":"object","properties":{"a":{"type":"object","default":${nested(n, '{"a":', '}').replace('}', '1}')}}}}`,
    'a value of an enum': (n) =>
      `{"type":"object","properties":{"a":{"type":"object","enum":[${nested(n, '{"a":', '}').replace('}', '1}')}]}}}`,
  } satisfies Record<string, (depth: number) => string>)) {
    test(what, async () => {
      for (const depth of [1_000, 4_000, 10_000]) {
        const { code } = await isQuick(() => define({ schema: of(depth) }));
        assert.equal(code, 400);
      }
    });
  }
});

interface Hostile extends Kind {
  /** The expected status code of the CRD; 201 by default. */
  readonly code?: number;
  /** Objects of the kind, with their expected status codes. */
  readonly objects?: Readonly<Record<string, { readonly of: object | string; readonly code: number }>>;
}

/** Creates a CRD and objects of it: none of that may block the event loop for long. */
function tryAll(hostile: Readonly<Record<string, Hostile>>): void {
  for (const [what, { code = 201, objects = {}, ...kind }] of Object.entries(hostile)) {
    test(what, async () => {
      const defined = await isQuick(() => define(kind));
      assert.equal(defined.code, code, defined.text);
      for (const [which, { of, code }] of Object.entries(objects)) {
        const response = await isQuick(() => make(defined.plural, of));
        assert.equal(response.code, code, `${which}: ${response.text}`);
      }
    });
  }
}

describe('enum values are looked up, however many there are', () => {
  const many = times(10_000, (i) => `value${i}`);
  tryAll({
    'one of very many': {
      schema: spec({ type: 'string', enum: times(40_000, (i) => `value${i}`) }),
      objects: { right: { of: { spec: 'value39999' }, code: 201 }, wrong: { of: { spec: 'x' }, code: 422 } },
    },
    'very many of many': {
      schema: spec(list({ type: 'string', enum: many })),
      objects: {
        right: { of: { spec: times(10_000, () => 'value9999') }, code: 201 },
        wrong: { of: { spec: times(50_000, () => 'x') }, code: 422 },
      },
    },
  });
});

describe('anyOf and oneOf are evaluated within a budget', () => {
  const alternatives = (depth: number): object =>
    depth === 0 ? { minLength: 5 } : { anyOf: [alternatives(depth - 1), alternatives(depth - 1)] };
  const tooMuch = { of: { spec: times(100_000, () => 'a') }, code: 400 };
  tryAll({
    'anyOf of anyOf, with four thousand ends': {
      schema: spec({ type: 'string', ...alternatives(12) }),
      objects: { wrong: { of: { spec: 'a' }, code: 422 }, right: { of: { spec: 'abcde' }, code: 201 } },
    },
    'very many items that none of very many alternatives fits': {
      schema: spec(list({ type: 'string', anyOf: times(2_000, (i) => ({ minLength: i + 5 })) })),
      objects: { 'too much to try': tooMuch },
    },
    'very many items that one of very many alternatives fits': {
      schema: spec(list({ type: 'string', oneOf: times(2_000, (i) => ({ enum: [`v${i}`] })) })),
      objects: { 'too much to try': { of: { spec: times(50_000, () => 'v1999') }, code: 400 } },
    },
    'very many items with very much wrong with each': {
      schema: spec(list({ type: 'string', allOf: times(1_000, (i) => ({ minLength: i + 5 })) })),
      objects: { wrong: { of: { spec: times(100_000, () => 'a') }, code: 422 } },
    },
    'very many names that are required of very many items': {
      schema: spec(list({ type: 'object', required: times(1_000, (i) => `r${i}`) })),
      objects: { wrong: { of: { spec: times(100_000, () => ({})) }, code: 422 } },
    },
  });
});

describe('expensive patterns are compiled and matched on a worker thread', () => {
  const long = 'a'.repeat(100_000);
  const matching = (pattern: string, code: number, text = long): Hostile => ({
    schema: spec({ type: 'string', pattern }),
    objects: { 'a long text': { of: { spec: text }, code } },
  });
  const refused = (pattern: string): Hostile => ({ schema: spec({ type: 'string', pattern }), code: 422 });
  tryAll({
    'repeats of repeats': refused('(a{1,1000}){1,1000}'),
    'repeats of repeats of repeats': refused('((a{1,100}){1,10}){1,1000}'),
    'parentheses in parentheses': refused('('.repeat(20_000) + ')'.repeat(20_000)),
    'a thousand times a letter': matching('^a{1,1000}$', 422),
    'stars under stars': matching('^(a*)*$', 201),
    'very many that may be left out': matching(`^(?:${'a?'.repeat(5_000)})b$`, 422),
    'a hundred thousand letters': matching(long, 201),
    'very many alternatives': matching(times(5_000, (i) => `b${i}`).join('|'), 422),
    'letters of all alphabets': matching('\\pL'.repeat(500), 201),
    'one that takes forever': matching(`^(?:${'a?'.repeat(20_000)})$`, 400, 'a'.repeat(400_000)),
    'a text as long as a body': matching('^(a|aa|b)+c$', 422, 'a'.repeat(2_900_000)),
    'very many, and costly': {
      schema: object(fields(500, (i) => ({ type: 'string', pattern: `^(a{1,100}){1,9}b${i}$` }))),
      objects: { wrong: { of: fields(500, () => 'aaaaaaa'), code: 422 } },
    },
    'more than a definition may have': {
      schema: object(fields(2_001, (i) => ({ type: 'string', pattern: `^a${i}$` }))),
      code: 422,
    },
    'one for very many texts': {
      schema: spec(list({ type: 'string', pattern: '^(a|aa|aaa|b)+c$' })),
      objects: { wrong: { of: { spec: times(100_000, () => 'aaaaaaaaaaaaaa') }, code: 422 } },
    },
  });
});

describe('uniqueness of list items is checked in linear time', () => {
  const keyed = {
    'x-orch-list-type': 'map',
    'x-orch-list-map-keys': ['a', 'b'],
  };
  const pair = object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a', 'b'] });
  tryAll({
    'a set of one text, very many times': {
      schema: spec(list({ type: 'string' }, { 'x-orch-list-type': 'set' })),
      objects: { wrong: { of: { spec: times(50_000, () => 'v') }, code: 422 } },
    },
    'a set of one object, very many times': {
      schema: spec(
        list(object({ a: { type: 'string' } }, { 'x-orch-map-type': 'atomic' }), {
          'x-orch-list-type': 'set',
        }),
      ),
      objects: { wrong: { of: { spec: times(30_000, () => ({ a: 'v' })) }, code: 422 } },
    },
    'one pair of keys, very many times': {
      schema: spec(list(pair, keyed)),
      objects: {
        wrong: { of: { spec: times(20_000, () => ({ a: 'v', b: 'c' })) }, code: 422 },
        'without keys': { of: { spec: times(50_000, () => ({})) }, code: 422 },
        'with keys of great length': {
          of: { spec: times(500, (i) => ({ a: 'x'.repeat(2_000) + i, b: 'c' })) },
          code: 201,
        },
      },
    },
    'items that are unique by JSON Schema': {
      schema: spec(list({ type: 'string' }, { uniqueItems: true })),
      code: 422,
    },
  });
});

describe('defaults do not make a small object large', () => {
  const nested = (depth: number): object =>
    depth === 0
      ? { type: 'string', default: 'x'.repeat(100) }
      : object(
          fields(10, () => nested(depth - 1)),
          { default: {} },
        );
  tryAll({
    'defaults in defaults': {
      schema: spec(nested(3)),
      objects: { nothing: { of: {}, code: 201 } },
    },
    'many defaults for each of many items': {
      schema: spec(list(object(fields(200, () => ({ type: 'string', default: 'x'.repeat(500) }))))),
      objects: {
        few: { of: { spec: [{}, {}] }, code: 201 },
        many: { of: { spec: times(100, () => ({})) }, code: 413 },
        'very many': { of: { spec: times(300_000, () => ({})) }, code: 413 },
      },
    },
    'a large default for each key of a map': {
      schema: spec({
        type: 'object',
        additionalProperties: object({ a: { ...anything, default: { b: 'x'.repeat(100_000) } } }),
      }),
      objects: { many: { of: { spec: fields(1_000, () => ({})) }, code: 413 } },
    },
  });

  test('nor when they are added after it was stored, and no other request is delayed', async () => {
    const small = object({ a: { type: 'string' } });
    const { plural } = await define({ schema: spec(list(small)) });
    await make(plural, { spec: times(1_000, () => ({})) });
    const large = object({ a: { type: 'string', default: 'x'.repeat(10_000) } });
    const path = `${definitions}/${plural}.example.com`;
    const changed = await ask({
      method: 'PATCH',
      path,
      headers: { 'content-type': 'application/json-patch+json' },
      body: JSON.stringify([
        { op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: spec(list(large)) },
      ]),
    });
    assert.equal(changed.code, 200, changed.text);
    const { code } = await isQuick(() => ask({ path: objectsOf(plural) }));
    assert.ok(code >= 400, String(code));
    assert.equal((await ask({ path: definitions })).code, 200);
  });
});

describe('CEL rules stop at their cost budget', () => {
  const numbers = (maxItems: number, ...texts: string[]) =>
    spec(list({ type: 'integer' }, { maxItems, ...rules(...texts) }));
  const text = (maxLength: number, ...texts: string[]) =>
    spec({ type: 'string', maxLength, ...rules(...texts) });
  tryAll({
    'loops in loops': {
      schema: numbers(1_000, 'self.all(a, self.all(b, a != b || a == b))'),
      objects: { 'at the limit': { of: { spec: times(1_000, (i) => i) }, code: 422 } },
    },
    'loops in loops in loops': {
      schema: numbers(200, 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))'),
      code: 422,
    },
    'a text that grows': {
      schema: text(10_000, `(${times(50, () => 'self').join('+')}).size() > 0`),
      objects: { 'at the limit': { of: { spec: 'a'.repeat(10_000) }, code: 422 } },
    },
    'texts that double, and double again': {
      schema: text(1_000, "self.split('').map(s, self + self).map(s, s + s).join('').size() > 0"),
      code: 422,
    },
    'a short pattern that stands for thousands of instructions': {
      schema: text(1_000_000, "self.matches('^(a?){1,1000}$')"),
      objects: { 'a long text': { of: { spec: 'a'.repeat(1_000_000) }, code: 422 } },
    },
    'all that a pattern finds': {
      schema: text(20_000, "self.findAll('a.*z|a').size() >= 0"),
      objects: { 'a long text': { of: { spec: 'a'.repeat(20_000) }, code: 422 } },
    },
    'very many of them': {
      schema: spec(object({ a: { type: 'integer' } }, rules(...times(2_000, (i) => `self.a != ${i}`)))),
      objects: { right: { of: { spec: { a: 7_000 } }, code: 201 } },
    },
    'some for each of very many items': {
      schema: spec(list({ type: 'integer', ...rules('self > 0', 'self < 9') }, { maxItems: 50_000 })),
      objects: {
        right: { of: { spec: times(50_000, () => 1) }, code: 201 },
        wrong: { of: { spec: times(50_000, () => 0) }, code: 422 },
      },
    },
    'one of great length': {
      schema: spec({ type: 'integer', ...rules(times(10_000, (i) => `self != ${i}`).join(' && ')) }),
      code: 422,
    },
    'one in very many parentheses': {
      schema: spec({ type: 'integer', ...rules(`${'('.repeat(5_000)}self > 0${')'.repeat(5_000)}`) }),
      code: 422,
    },
    'with messages of great length': {
      schema: spec({
        type: 'integer',
        'x-orch-validations': times(10, (i) => ({ rule: `self > ${i}`, message: 'x'.repeat(50_000) })),
      }),
      objects: { wrong: { of: { spec: 0 }, code: 422 } },
    },
  });
});

describe('columns and selectable fields are bounded', () => {
  const columns = (count: number, jsonPath: string) =>
    times(count, (i) => ({ name: `c${i}`, type: 'string', jsonPath }));
  const paths: Readonly<Record<string, string>> = {
    'to any depth': '..a',
    'to any depth, and on from there': '.spec..a..a',
    'by a filter': '.spec.l[?(@.a=="x")].a',
    'to everything': '.spec.l[*].a',
  };
  for (const [what, jsonPath] of Object.entries(paths)) {
    test(`columns that lead ${what}`, async () => {
      const version = { additionalPrinterColumns: columns(20, jsonPath) };
      const { plural, code } = await isQuick(() => define({ schema: spec(anything), version }));
      assert.equal(code, 201);
      const deep = `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`;
      const many = JSON.stringify(times(2_000, (i) => ({ a: `${i}` })));
      assert.equal((await make(plural, `"spec":{"d":${deep},"l":${many}}`)).code, 201);
      const accept = 'application/json;as=Table;v=v1;g=meta.orch.io';
      const table = await isQuick(() => ask({ path: objectsOf(plural), headers: { accept } }));
      assert.equal(table.code, 200);
    });
  }

  tryAll({
    'selectable fields that lead nowhere': {
      schema: spec(object({ a: { type: 'string' } })),
      version: {
        selectableFields: ['..a', '[', `.spec${'.a'.repeat(900)}`, ".spec['a']"].map((jsonPath) => ({
          jsonPath,
        })),
      },
      code: 422,
    },
  });
});

describe('the number of versions and names of a CRD is limited', () => {
  const version = { served: false, storage: false, schema: { openAPIV3Schema: object({}) } };
  const definition = (change: object, names: object = {}) =>
    JSON.stringify({
      metadata: { name: 'manies.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'manies', kind: 'Many', ...names },
        scope: 'Namespaced',
        versions: [{ ...version, name: 'v1', served: true, storage: true }],
        ...change,
      },
    });
  const bodies: Readonly<Record<string, string>> = {
    versions: definition({ versions: times(12_000, (i) => ({ ...version, name: `v${i + 1}` })) }),
    'short names': definition({}, { shortNames: times(100_000, (i) => `n${i}`) }),
    categories: definition({}, { categories: times(100_000, (i) => `c${i}`) }),
  };
  for (const [what, body] of Object.entries(bodies)) {
    test(what, async () => {
      const { code, text } = await isQuick(() => ask({ method: 'POST', path: definitions, body }));
      assert.equal(code, 422);
      assert.match(text, /Too many: \d+: must have at most (500|1000) items/);
    });
  }
});

describe('fields without a schema are kept within limits', () => {
  test('very deeply nested values are rejected', async () => {
    const { plural } = await define({ schema: spec(anything) });
    for (const depth of [1_000, 9_000]) {
      const objects = `"spec":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      assert.equal((await isQuick(() => make(plural, objects))).code, 400);
      const lists = `"spec":{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
      assert.equal((await isQuick(() => make(plural, lists))).code, 400);
    }
    assert.equal(
      (await isQuick(() => make(plural, `"spec":${'{"a":'.repeat(400)}1${'}'.repeat(400)}`))).code,
      201,
    );
  });

  test('strategic merge patch is not supported for custom resources', async () => {
    const { plural } = await define({ schema: spec(anything) });
    const { code } = await ask({
      method: 'PATCH',
      path: `${objectsOf(plural)}/x`,
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
      body: '{}',
    });
    assert.equal(code, 415);
  });
});

test('afterwards the server still responds', async () => {
  assert.equal((await kinds.server.ask('/readyz')).code, 200);
});
