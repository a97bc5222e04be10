import { readFileSync } from 'node:fs';
import { ask, type Case, type Json, type JsonObject, post, put, subject } from '../case.ts';
import { withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const definitions = paths('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
const x = (extension: string) => `x-kubernetes-${extension}`;

const version = (name: string, schema: JsonObject, changes: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schema },
  ...changes,
});
const kind = (...versions: JsonObject[]): JsonObject =>
  object('foos.{name}.example.com', {
    spec: {
      group: '{name}.example.com',
      names: { plural: 'foos', kind: 'Foo' },
      scope: 'Namespaced',
      versions,
    },
  });
const spec = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { spec: schema } });
/** A custom kind whose spec has this schema. */
const withSpec = (schema: JsonObject) => kind(version('v1', spec(schema)));
const withRoot = (schema: JsonObject) => kind(version('v1', schema));

type Rule = string | JsonObject;
const ruled = (schema: JsonObject, ...rules: Rule[]): JsonObject => ({
  ...schema,
  [x('validations')]: rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});

const text: JsonObject = { type: 'string', maxLength: 10 };
const integer: JsonObject = { type: 'integer' };
const listOf = (items: JsonObject, changes: JsonObject = {}): JsonObject => ({
  type: 'array',
  maxItems: 5,
  items,
  ...changes,
});
const mapOf = (additionalProperties: JsonObject): JsonObject => ({
  type: 'object',
  maxProperties: 5,
  additionalProperties,
});
const record = (properties: JsonObject, changes: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...changes,
});
const untyped: JsonObject = { [x('preserve-unknown-fields')]: true };
const plain = record({
  a: integer,
  s: text,
  l: listOf(text),
  m: mapOf(integer),
  o: record({ b: { type: 'boolean' } }),
  n: { type: 'number' },
  d: { type: 'string', format: 'date-time' },
  u: { type: 'string', format: 'duration' },
  y: { type: 'string', format: 'byte' },
  e: { type: 'string', enum: ['a', 'b'] },
  i: { [x('int-or-string')]: true },
});
const ofPlain = (...rules: Rule[]) => withSpec(ruled(plain, ...rules));

/** Rules, each in a kind of its own, that the reference compiles or not. */
const expressions = [
  'self.a > 1',
  'self.a > 1.0',
  'self.a > "x"',
  'self.nope > 1',
  'self.a',
  'dyn(self.a)',
  'dyn(true)',
  'self.a +',
  'self.a == 1 true',
  'self.s.startsWith("x")',
  'self.s.startsWith(1)',
  'self.s.matches("[")',
  'self.s.matches("^[a-z]+$")',
  'self.s.size() < 5 && self.s != ""',
  'self.s == self.a',
  'self.l.all(x, x.size() > 1)',
  'self.l.all(x, x)',
  'self.l[0] == "a"',
  'self.l["a"] == "a"',
  'self.l.exists_one(x, x == "a")',
  'self.l.map(x, x + 1)',
  'self.l.isSorted()',
  'self.l.sum() == 1',
  'self.l.indexOf("a") == 0',
  'self.m["a"] == 1',
  'self.m[1] == 1',
  'self.m.a == 1',
  'self.m.all(k, self.m[k] > 1)',
  'self.m.all(k, v, v > 1)',
  'self.m.exists(k, k > 1)',
  'has(self.a)',
  'has(self.nope)',
  'has(self.m.a)',
  'has(self.o.b) && self.o.b',
  'self.o.c',
  'self.?a.hasValue()',
  'self.?a.orValue(1) > 1',
  'self.?a.orValue("x") == "x"',
  'self.?nope.hasValue()',
  'self.n > 1',
  'self.n == 1',
  'self.n == 1.5',
  'self.n + 1 > 2.0',
  'self.d > timestamp("2020-01-01T00:00:00Z")',
  'self.d == "2020-01-01T00:00:00Z"',
  'self.d.getFullYear() > 2000',
  'timestamp("x") == self.d',
  'self.u > duration("1s")',
  'self.u == "1s"',
  'duration("x") == self.u',
  'self.y == b"x"',
  'self.y == "x"',
  'self.e == "c"',
  'self.e in ["a", "b"]',
  'self.a in ["a", "b"]',
  'self.i == 1',
  'type(self.i) == int ? self.i > 1 : self.i.contains("%")',
  'self.s in self.l',
  'self.a in self.l',
  '[1, "a"].size() == 2',
  '{"a": 1, "b": "c"}.size() == 2',
  'self.s.format([1]) == "x"',
  '"%d".format(["x"]) == "x"',
  '"%s %s".format(["x"]) == "x"',
  'quantity("1Gi").isGreaterThan(quantity("1Mi"))',
  'quantity(self.s).isInteger()',
  'isQuantity(self.a)',
  'ip(self.s).family() == 4',
  'cidr(self.s).containsIP("10.0.0.1")',
  'url(self.s).getHost() == "x"',
  'isURL(self.s)',
  'format.dns1123Label().validate(self.s).hasValue()',
  'format.named("x").hasValue()',
  'semver(self.s).major() == 1',
  'sets.contains(self.l, ["a"])',
  'sets.contains(self.l, [1])',
  'self.s.lowerAscii() == "a"',
  'self.s.replace("a", "b") == "c"',
  'self.s.split(",").size() == 1',
  'self.s.charAt(0) == "a"',
  'self.s.reverse() == "a"',
  'self.l.join(",") == "a"',
  'self.l.slice(0, 1) == ["a"]',
  'self.l.sort() == ["a"]',
  'cel.bind(z, self.a, z > 1)',
  'math.greatest(self.a, 1) == 1',
  'authorizer.path("/x").check("get").allowed()',
  'request.name == "x"',
  'variables.x == 1',
  'object.a == 1',
  'params.a == 1',
  'oldSelf.a == self.a',
  'oldSelf.nope == self.a',
  'self == oldSelf',
  'self.l == oldSelf.l && self.m == oldSelf.m',
  'self.a.b == 1',
  'self.s.nope() == 1',
  'nope(self.a)',
  'self',
  'null',
  '1',
  '"text"',
  'true',
  'false',
  'self.a == null',
  'self.o == null',
  'self.a > 1 ? self.s == "a" : self.a',
  'self.a > 1 ? true : false',
  '!self.a',
  '-self.s == "a"',
  'self.a / 0 == 1',
  '9223372036854775808 > self.a',
  '0xff == self.a && 1u == uint(self.a)',
  "r'\\d' == self.s && 'a' == self.s",
  'self.a == 1 // a remark',
  '  self.a == 1  ',
  'self.a\n== 1',
  'self.a\n== "x"',
  'self.`a` == 1',
  'self.a == 1; true',
  'self.a = 1',
  'self.a & 1',
  'self.l.filter(x, x != "a").size() > 1',
  'self.l.all(x, self.l.exists(y, x == y))',
  '[self.a, 1].all(x, [2, 3].all(y, x > y))',
];

const broken = 'self.nope';
const unbounded: JsonObject = { type: 'array', items: { type: 'string' } };
const every = 'self.all(x, self.exists(y, x == y))';
const sized = (maxItems: number): JsonObject => listOf({ type: 'string', maxLength: 20 }, { maxItems });
const times = (count: number) => Array.from({ length: count }, () => every).join(' || ');
const transition = 'self == oldSelf';
const keyed = (items: JsonObject) => listOf(items, { [x('list-type')]: 'map', [x('list-map-keys')]: ['k'] });
const withKey = (properties: JsonObject, ...rules: Rule[]) => {
  const item = record({ k: text, ...properties }, { required: ['k'] });
  return rules.length > 0 ? ruled(item, ...rules) : item;
};

const ofDefault = (value: Json, ...rules: Rule[]) =>
  withSpec(record({ a: ruled({ type: 'integer', default: value }, ...rules) }));
const ones = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
/** A rule that costs some five times the third power of the count. */
const heavy = (count: number) =>
  `${ones(count)}.all(x, ${ones(count)}.all(y, ${ones(count)}.all(z, x > y || z > 0)))`;

/** Schemas with one rule, with and without bounds: what the reference thinks that each may cost. */
const costs: readonly { readonly schema: JsonObject }[] = JSON.parse(
  readFileSync(new URL('../../../src/cel/testdata/rule-costs.json', import.meta.url), 'utf8'),
);

/** Cases with so many tries each that several run at once. */
function inParts(name: string, tried: readonly JsonObject[], size = 40): Case[] {
  const parts: Record<string, JsonObject[]> = {};
  for (let from = 0; from < tried.length; from += size) {
    parts[`${name} from ${from}`] = tried.slice(from, from + size);
  }
  return tries(definitions, parts);
}

const ofVersions = (first: Json[], second: Json[]) =>
  kind(
    version('v1', spec(ruled(plain, ...(first as Rule[])))),
    version('v2', spec(ruled(plain, ...(second as Rule[])))),
  );

export const crdRules = [
  subject('crd-rules', [
    ...inParts(
      'costs',
      costs.map(({ schema }) => withSpec(schema)),
    ),
    ...inParts(
      'expressions',
      expressions.map((rule) => ofPlain(rule)),
    ),
    ...tries(definitions, {
      'what goes with a rule': [
        ofPlain('true\n'),
        ofPlain('true\r&& true'),
        ofPlain({ rule: 'true\n&& true', message: 'm' }),
        ofPlain({ rule: 'true\n&& true', messageExpression: '"m"' }),
        ofPlain({ rule: 'true', messageExpression: '"m"\n + "n"' }),
        ofPlain(''),
        ofPlain('  '),
        ofPlain('', broken),
        ofPlain('self.a', 'self.b == 1', ' self.c '),
        ofPlain({ rule: 'self.a > 1', messageExpression: '"x" + self.s' }),
        ofPlain({ rule: 'self.a > 1', messageExpression: 'self.a' }),
        ofPlain({ rule: 'self.a > 1', messageExpression: 'self.nope' }),
        ofPlain({ rule: 'self.a > 1', messageExpression: 'self.' }),
        ofPlain({ rule: 'self.a > 1', messageExpression: 'dyn("x")' }),
        ofPlain({ rule: 'self.a > 1', messageExpression: ' ' }),
        ofPlain({ rule: 'self.a > 1', messageExpression: 'string(oldSelf.a)' }),
        ofPlain({ rule: broken, messageExpression: 'self.' }),
        ofPlain({ rule: broken, messageExpression: 'self.', message: 'a\nb' }),
        ofPlain({ rule: broken, reason: 'x' }),
        ofPlain(broken, { rule: 'true', reason: 'x' }),
        ofPlain({ rule: 'self.a > 1', reason: 'FieldValueForbidden', fieldPath: '.a', message: 'm' }),
        ofPlain({ rule: 'self.a > 1', optionalOldSelf: true }),
        ofPlain({ rule: 'self.a > 1', optionalOldSelf: false }),
        ofPlain({ rule: '!oldSelf.hasValue() || self.a > oldSelf.value().a', optionalOldSelf: true }),
        ofPlain({ rule: 'oldSelf.orValue(self).a == 1', optionalOldSelf: true }),
        ofPlain({ rule: 'oldSelf.a > 1', optionalOldSelf: false }),
      ],
      'where a value was before': [
        withSpec(ruled(listOf(text), transition)),
        withSpec(listOf(ruled(text, transition))),
        withSpec(listOf(ruled(text, { rule: 'oldSelf.hasValue()', optionalOldSelf: true }))),
        withSpec(listOf(ruled(text, 'self == "a"', { rule: 'true', messageExpression: 'oldSelf' }))),
        withSpec(listOf(ruled(text, transition), { [x('list-type')]: 'set' })),
        withSpec(listOf(ruled(text, transition), { [x('list-type')]: 'atomic' })),
        withSpec(listOf(record({ a: ruled(text, transition) }))),
        withSpec(listOf(listOf(ruled(text, transition)))),
        withSpec(keyed(withKey({}, transition))),
        withSpec(keyed(withKey({ l: listOf(ruled(text, transition)) }))),
        withSpec(listOf(record({ l: keyed(withKey({}, transition)) }))),
        withSpec(mapOf(ruled(text, transition))),
        withSpec(record({ a: ruled(text, transition) }, { [x('map-type')]: 'atomic' })),
        withSpec(
          listOf(
            ruled(
              text,
              transition,
              broken,
              { rule: 'self == "a"', optionalOldSelf: true },
              { rule: 'true', messageExpression: '1' },
              'oldSelf == "b"',
            ),
          ),
        ),
        withSpec({ type: 'array', items: ruled(unbounded, 'self.all(x, oldSelf.all(y, x == y))') }),
      ],
      'what is seen from where': [
        withRoot(
          ruled(
            spec(plain),
            'self.metadata.name.startsWith("x")',
            'self.metadata.generateName == "x"',
            'self.kind == "Foo"',
            'self.apiVersion == "x"',
            'self.spec.a == 1',
            'self.metadata.labels.a == "x"',
            'self.metadata.namespace == "x"',
            'has(self.metadata.uid)',
            'has(self.status)',
          ),
        ),
        withSpec(record({ x: ruled(untyped, 'true') })),
        withSpec(record({ x: listOf(ruled(untyped, 'true')) })),
        withSpec(ruled(listOf(untyped), 'size(self) == 1')),
        withSpec(ruled(mapOf(untyped), 'size(self) == 1')),
        withSpec(ruled(record({ x: untyped, a: integer }), 'self.a == 1', 'self.x == 1', 'has(self.x)')),
        withSpec(ruled({ type: 'object', ...untyped }, 'self.a == 1')),
        withSpec(record({ x: { type: 'object', ...untyped, properties: { a: ruled(plain, broken) } } })),
        withSpec(ruled({ type: 'object', additionalProperties: true }, 'self.a == 1')),
        withSpec(ruled({ type: 'object' }, 'self == self')),
        withSpec(ruled({ type: 'object', ...untyped, additionalProperties: text }, 'self.all(k, k == "a")')),
        withSpec(record({ é: ruled(plain, 'self.a == 1', broken) })),
        withSpec(
          ruled(
            record({
              in: text,
              'a-b': text,
              true: { type: 'boolean' },
              namespace: text,
              'a.b/c': integer,
              __: integer,
              é: integer,
            }),
            'self.__in__ == "x"',
            'self.a__dash__b == "x"',
            'self.__true__',
            'self.__namespace__ == "x"',
            'self.namespace == "x"',
            'self.a__dot__b__slash__c == 1',
            'self.__underscores__ == 1',
            'self.____ == 1',
          ),
        ),
        withSpec(
          record({
            x: ruled(
              { type: 'object', [x('embedded-resource')]: true, properties: { spec: plain } },
              'self.metadata.name == "a"',
              'self.spec.a == 1',
              'self.kind == "x"',
              'self.metadata.labels.a == "b"',
            ),
          }),
        ),
        withSpec(
          ruled(
            record({ x: { type: 'object', [x('embedded-resource')]: true, properties: { spec: plain } } }),
            'self.x.metadata.name == "a"',
            'self.x.kind == "a"',
          ),
        ),
        withSpec(ruled({ ...text, nullable: true }, 'self == null || self == "x"')),
        withSpec(ruled(record({ a: integer }, { nullable: true }), 'self == null')),
        withSpec(ruled({ [x('int-or-string')]: true }, 'type(self) == int', 'self.a == 1')),
        withRoot(
          ruled(
            record({ metadata: record({ name: { type: 'string', maxLength: 5 } }), spec: plain }),
            'self.metadata.name == "x"',
            'self.metadata.generateName == "x"',
          ),
        ),
      ],
      'beside what else is wrong': [
        withSpec(record({ a: ruled(plain, broken), b: { ...unbounded, uniqueItems: true } })),
        withSpec(ruled(record({ b: { ...unbounded, uniqueItems: true } }), broken)),
        withSpec(record({ a: ruled(plain, broken), b: ruled(plain, '') })),
        withSpec(ruled(record({ a: ruled(plain, '') }), broken)),
        withSpec(ruled(record({ a: ruled(plain, broken) }), '')),
        withSpec(record({ a: ruled(plain, broken), b: {} })),
        withSpec(record({ a: ruled(plain, broken), b: { type: 'integer', default: 'x' } })),
        withSpec(ruled(listOf(text, { [x('list-type')]: 'foo' }), broken)),
        withSpec({ ...text, allOf: [ruled({}, 'self == "x"')] }),
        withSpec(ruled(record({ a: ruled(plain, broken) }), broken)),
        withSpec(ruled(listOf(ruled(text, broken)), broken)),
        withSpec(ruled(mapOf(ruled(text, broken)), 'self.size()')),
        withRoot(ruled({ ...spec(plain), nullable: true }, broken)),
        withRoot(ruled(record({ spec: ruled(plain, broken) }), broken)),
        kind(version('v1', spec(ruled(plain, broken)), { subresources: { status: {} } })),
      ],
      'in several versions': [
        ofVersions(['self.a == 1'], ['self.a == 2']),
        ofVersions([broken], [broken]),
        ofVersions([broken], ['self.other']),
        ofVersions(['true'], [broken]),
        kind(
          version('v1', spec(ruled(sized(5000), every))),
          version('v2', spec(ruled(sized(5000), every, 'true'))),
        ),
      ],
      'what rules may cost': [
        withSpec(ruled(unbounded, every)),
        withSpec(ruled(unbounded, { rule: 'true', messageExpression: `${every} ? "a" : "b"` })),
        withSpec(ruled(unbounded, { rule: every, messageExpression: `${every} ? "a" : "b"` })),
        withSpec(ruled(unbounded, { rule: every, messageExpression: broken })),
        withSpec(ruled(unbounded, { rule: broken, messageExpression: `${every} ? "a" : "b"` })),
        withSpec({ type: 'array', items: ruled(unbounded, 'self.all(x, x == "a")') }),
        withSpec({
          type: 'array',
          items: ruled(unbounded, {
            rule: 'true',
            messageExpression: 'self.all(x, x == "a") ? "a" : "b"',
          }),
        }),
        withSpec(ruled(sized(5000), 'true', every, 'size(self) > 1')),
        withSpec(ruled(sized(5000), every, broken)),
        withSpec(ruled(sized(800), ...[1, 3, 2, 5, 4, 1, 6, 2].map(times))),
        withSpec(ruled(sized(800), ...[6, 5, 4, 3, 2, 1].map(times))),
        withSpec(ruled(sized(800), ...Array.from({ length: 13 }, (_, i) => `${every} || size(self) < ${i}`))),
        withSpec(ruled(sized(800), ...Array.from({ length: 11 }, (_, i) => `${every} || size(self) < ${i}`))),
        withSpec(
          ruled(
            sized(800),
            ...Array.from({ length: 13 }, (_, i) => ({
              rule: 'true',
              messageExpression: `${every} || size(self) < ${i} ? "a" : "b"`,
            })),
          ),
        ),
        ...[1999, 2000, 2001, 4000].map((size) =>
          withSpec(ruled(sized(5000), every, `[${'1,'.repeat(size - 1)}1].all(a, [1].all(b, a == b))`)),
        ),
        withSpec(ruled(sized(5000), `[${'1,'.repeat(199)}1].all(a, [${'1,'.repeat(99)}1].all(b, a == b))`)),
      ],
    }),
    ...tries(definitions, {
      'defaults keep rules': [
        ofDefault(7, 'self > 5'),
        ofDefault(3, 'self > 5'),
        ofDefault(3, 'self > 5', 'self > 6', 'self < 5'),
        ofDefault(3, { rule: 'self > 5', message: ' too small ', reason: 'FieldValueForbidden' }),
        ofDefault(3, { rule: 'self > 5', reason: 'FieldValueRequired' }),
        ofDefault(3, { rule: 'self > 5', reason: 'FieldValueDuplicate' }),
        ofDefault(3, { rule: 'self > 5', reason: 'FieldValueInvalid' }),
        ofDefault(3, ' self > 5 '),
        ofDefault(3, '1 / (self - 3) == 1'),
        ofDefault(3, { rule: '1 / (self - 3) == 1', message: 'm', reason: 'FieldValueForbidden' }),
        ofDefault(3, 'self > "x"', 'self > 5'),
        ofDefault(3, 'self'),
        ofDefault('x', 'self > 5'),
        ofDefault(3, ''),
        ...[
          '"got " + string(self)',
          '""',
          '"  "',
          '" a "',
          '"a\\n"',
          '"a\\nb"',
          'string(self / 0)',
          'self.x',
        ].map((messageExpression) => ofDefault(3, { rule: 'self > 5', messageExpression, message: 'm' })),
        ...[5120, 5121].map((length) =>
          ofDefault(3, { rule: 'self > 5', messageExpression: `"${'x'.repeat(length)}"` }),
        ),
        withSpec(record({ o: { ...record({ a: ruled(integer, 'self > 5') }), default: { a: 3 } } })),
        withSpec(
          record({
            o: ruled({ ...record({ a: integer }), default: { a: 3 } }, 'self.a > 5', {
              rule: 'self.a > 6',
              fieldPath: '.a',
            }),
          }),
        ),
        withSpec(record({ o: ruled({ ...record({ a: integer }), default: {} }, 'self.a > 5') })),
        withSpec(
          record({
            o: ruled(
              { ...record({ m: mapOf(integer) }), default: { m: { 'a b': 3 } } },
              {
                rule: 'false',
                fieldPath: ".m['a b']",
              },
            ),
          }),
        ),
        withSpec(ruled(record({ a: { type: 'integer', default: 3 } }), 'self.a > 5')),
        withSpec(record({ l: { ...listOf(ruled(integer, 'self > 1')), default: [1, 2] } })),
        withSpec(
          record({ l: ruled({ ...listOf(ruled(integer, 'self > 5')), default: [1, 2] }, 'size(self) > 4') }),
        ),
        withSpec(record({ m: { ...mapOf(ruled(integer, 'self > 5')), default: { a: 1 } } })),
        withSpec(listOf(record({ a: ruled({ type: 'integer', default: 3 }, 'self > 5') }))),
        withSpec(mapOf(record({ a: ruled({ type: 'integer', default: 3 }, 'self > 5') }))),
        withSpec(mapOf({ type: 'integer', default: 'x' })),
        withSpec(
          record({
            o: ruled({ ...record({ a: { type: 'integer', default: 3 } }), default: {} }, 'has(self.a)'),
          }),
        ),
        withSpec(
          record({
            o: ruled(
              { ...record({ a: { type: 'integer', nullable: true } }), default: { a: null } },
              'has(self.a)',
            ),
          }),
        ),
        withSpec(record({ s: ruled({ ...text, default: 'a' }, 'self == "b"') })),
        withSpec(record({ s: ruled({ type: 'number', default: 1 }, 'self == 2.0') })),
        withSpec(record({ s: ruled({ type: 'boolean', default: true }, '!self') })),
        withSpec(record({ s: ruled({ [x('int-or-string')]: true, default: 1 }, 'type(self) == string') })),
        withSpec(
          record({
            s: ruled(
              { type: 'string', format: 'date-time', default: '2020-01-01T00:00:00Z' },
              'self.getFullYear() == 2021',
            ),
          }),
        ),
        withSpec(
          record({
            x: ruled(
              {
                type: 'object',
                [x('embedded-resource')]: true,
                ...untyped,
                default: { apiVersion: 'v1', kind: 'A', metadata: { name: 'b' } },
              },
              'self.metadata.name == "a"',
            ),
          }),
        ),
        withSpec(record({ a: ruled({ ...unbounded, default: ['a'] }, every) })),
      ],
      'defaults are new, and stay': [
        ...['self == oldSelf', 'self != oldSelf'].map((rule) => ofDefault(3, rule)),
        ...[
          'oldSelf.hasValue()',
          '!oldSelf.hasValue()',
          'oldSelf.orValue(99) in [3, 99]',
          'oldSelf.orValue(99) == 99',
        ].map((rule) => ofDefault(3, { rule, optionalOldSelf: true })),
        ofDefault(3, 'self > 5', 'self != oldSelf'),
        ofDefault(3, 'self != oldSelf', { rule: 'oldSelf.hasValue()', optionalOldSelf: true }),
        ofDefault(3, 'self != oldSelf', { rule: '!oldSelf.hasValue()', optionalOldSelf: true }),
        withSpec(record({ l: { ...keyed(withKey({}, 'self.k != oldSelf.k')), default: [{ k: 'a' }] } })),
        withSpec(record({ o: { ...record({ a: ruled(integer, 'self != oldSelf') }), default: { a: 3 } } })),
      ],
      'what rules cost for defaults': [
        ofDefault(3, heavy(70), 'self > 5'),
        ofDefault(3, { rule: heavy(70), message: 'm' }),
        ofDefault(3, ...Array.from({ length: 20 }, (_, i) => `${heavy(52)} && ${i} > -1`), 'self > 5'),
      ],
    }),
    ask(
      'rules change',
      post(definitions(), ofPlain('self.a > 1'), { as: 'a' }),
      [
        ofPlain('self.a > 1', 'self.a < 5'),
        ofPlain('self.a > 1', broken),
        ofPlain({ rule: 'self.a > 1', messageExpression: 'self.a' }),
        withSpec(ruled(sized(5000), every)),
      ].map((changed) => put(definitions('foos.{name}.example.com?dryRun=All'), withChange('a', changed))),
    ),
  ]),
];
