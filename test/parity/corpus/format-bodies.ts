import { builtinKinds } from '../../../src/apis/index.ts';
import { encodeCbor } from '../../../src/codec/cbor/encode.ts';
import { encodeMessage } from '../../../src/codec/protobuf/encode.ts';
import { writeEnvelope } from '../../../src/codec/protobuf/envelope.ts';
import { kubernetes } from '../../../src/dialect/index.ts';
import { everyFeature } from '../../../src/kind/features/everything.fixture.ts';
import { DeleteOptions } from '../../../src/kind/meta/delete-options.ts';
import type { Struct } from '../../../src/schema/struct.ts';
import { ask, type Case, del, type JsonObject, post, put, type Step } from '../case.ts';
import { configMap, configmaps, controllerrevisions, object, secrets } from './objects.ts';

const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const cbor = 'application/cbor';
/** A body of this type, answered in the same. */
const sent = (type: string) => ({ headers: { 'content-type': type, accept: type } });
const sentOnly = (type: string) => ({ headers: { 'content-type': type } });

const kinds = new Map(
  builtinKinds({ dialect: kubernetes, features: everyFeature }).map(({ kind, schema }) => [kind, schema]),
);

function message(schema: Struct<unknown>, object: JsonObject, apiVersion: string, kind: string): Buffer {
  const written = encodeMessage(schema, schema.decode(object).object);
  return writeEnvelope({ apiVersion, kind, message: written }, kubernetes.protobufMagic);
}

const asProtobuf = (name: string, fields: JsonObject, apiVersion = 'v1', kind = 'ConfigMap') =>
  message(kinds.get('ConfigMap') as Struct<unknown>, object(name, fields), apiVersion, kind);
const deleteOptions = (fields: JsonObject) =>
  message(DeleteOptions as Struct<unknown>, fields, 'v1', 'DeleteOptions');
const asCbor = (value: JsonObject) => encodeCbor(value);

const secretBodies: Step[] = [
  post(
    secrets(),
    message(kinds.get('Secret') as Struct<unknown>, object('a', { data: { k: 'AP8=' } }), 'v1', 'Secret'),
    sent(protobuf),
  ),
  post(secrets(), encodeCbor(object('b', { data: { k: 'AP8=' } }), kinds.get('Secret')), sent(cbor)),
];

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';

/** In Protobuf, as Go's clients write it, every field of the schema that is no pointer is there and empty. */
function definitionBodies(): Step[] {
  const definition = (plural: string, empty: JsonObject) =>
    object(`${plural}.example.com`, {
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural, kind: 'Gopher' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', properties: { f: { type: 'string', ...empty } }, ...empty },
            },
            subresources: { status: {} },
          },
        ],
      },
    });
  const empty = {
    id: '',
    $schema: '',
    title: '',
    format: '',
    pattern: '',
    exclusiveMaximum: false,
    exclusiveMinimum: false,
    uniqueItems: false,
    nullable: false,
  };
  const schema = kinds.get('CustomResourceDefinition') as Struct<unknown>;
  const type = ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'] as const;
  return [
    post(definitions, message(schema, definition('gophers', {}), ...type), sentOnly(protobuf)),
    post(definitions, definition('gophers', empty)),
  ];
}

const aliasBomb = Array.from({ length: 12 }, (_, i) =>
  i === 0
    ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]'
    : `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(',')}]`,
).join('\n');

/** Bodies in every form, good and broken. */
export const formatBodies: Case[] = [
  ask(
    'YAML bodies',
    [
      'metadata:\n  name: a\ndata:\n  k: v\n',
      'metadata: {name: b}\ndata: {k: "1"}\n',
      'metadata: {name: c}\ndata: {k: 1}\n',
      'metadata: {name: d}\ndata: {k: yes}\n',
      'metadata: {name: 5}\n',
      'metadata: {name: e}\ndata: {k: &x v, l: *x}\n',
      'metadata: {name: f}\nmetadata: {name: g}\n',
      'metadata: {name: h}\nfoo: 1\ndata: {k: v, k: w}\n',
      'metadata:\n  name: i\n--- \nmetadata:\n  name: j\n',
      '- a\n',
      'just text',
      '{"metadata":{"name":"json-is-yaml"}}',
      ':\n  - [',
      '\tmetadata: {}',
      '',
      'metadata: {name: k}\ndata: {t: 2001-02-03, n: ~, o: 0o7, h: 0x10, f: 1.0}\n',
      'metadata: {name: l}\ndata: {k: !!binary aGk=}\n',
      'metadata: {name: m}\ndata:\n  <<: {k: v}\n',
      'metadata: {name: n}\ndata:\n  k: |\n    two\n    lines\n',
    ].map((body) => post(configmaps(), body, { headers: { 'content-type': yaml } })),
    post(configmaps('?fieldValidation=Strict'), 'metadata: {name: z, name: y}\nfoo: 1\n', {
      headers: { 'content-type': yaml },
    }),
    put(configmaps('a'), 'metadata: {name: a}\ndata: {k: changed}\n', {
      headers: { 'content-type': yaml },
    }),
    del(configmaps('a'), 'dryRun: [All]\n', { headers: { 'content-type': yaml } }),
  ),
  ask(
    'binary bodies',
    post(configmaps(), asProtobuf('a', { data: { k: 'v' } }), sent(protobuf)),
    post(configmaps(), asProtobuf('a', { data: { k: 'v' } }), sent(protobuf)),
    put(configmaps('a'), asProtobuf('a', { data: { k: 'w' }, immutable: false }), sent(protobuf)),
    put(configmaps('a'), asProtobuf('b', {}), sent(protobuf)),
    post(configmaps(), asProtobuf('UPPER', {}), sent(protobuf)),
    post(configmaps(), asProtobuf('c', {}, 'v1', 'Secret'), sent(protobuf)),
    post(configmaps(), asProtobuf('c', {}, 'v1', 'Nope'), sent(protobuf)),
    post(configmaps(), asProtobuf('c', {}, 'nope/v1', 'ConfigMap'), sent(protobuf)),
    post(configmaps(), asProtobuf('c', {}, '', ''), sent(protobuf)),
    post(configmaps(), asProtobuf('d', {}), { headers: { 'content-type': `${protobuf}; charset=utf-8` } }),
    del(configmaps('a'), deleteOptions({ dryRun: ['All'] }), sent(protobuf)),
    del(configmaps('a'), deleteOptions({ preconditions: { uid: 'x' } }), sent(protobuf)),
    del(configmaps('a'), deleteOptions({}), sent(protobuf)),
    post(configmaps(), asCbor(configMap('e')), sent(cbor)),
    post(configmaps(), asCbor(configMap('e')), sent(cbor)),
    put(configmaps('e'), asCbor(configMap('e', { k: 'w' })), sent(cbor)),
    post(configmaps(), asCbor({ ...configMap('f'), kind: 'ConfigMap', apiVersion: 'v1' }), sent(cbor)),
    post(configmaps(), asCbor({ ...configMap('f'), kind: 'Nope', apiVersion: 'v1' }), sent(cbor)),
    post(configmaps(), asCbor({ ...configMap('f'), kind: 1 }), sent(cbor)),
    post(configmaps(), asCbor(configMap('UPPER')), sent(cbor)),
    post(configmaps('?fieldValidation=Strict'), asCbor({ ...configMap('g'), foo: 1 }), sent(cbor)),
    post(configmaps(), asCbor(configMap('g', { k: 1 })), sent(cbor)),
    del(configmaps('e'), asCbor({ dryRun: ['All'] }), sent(cbor)),
    del(configmaps('e'), asCbor({ kind: 'Nope' }), sent(cbor)),
    del(configmaps('e'), asCbor({}), sent(cbor)),
    secretBodies,
  ),
  ask('fields that are sent empty', definitionBodies()),
  ask(
    'CBOR that is refused',
    [
      '',
      'ff',
      'a2616b',
      '7b00000000ffffffff61',
      '7bffffffffffffffff',
      '5bffffffffffffffff',
      '9bffffffffffffffff',
      '9b0000000000ffffff',
      'bb00000000ffffffff',
      'bbffffffffffffffff',
      '1c',
      'f818',
      'f7',
      'f97e00',
      'f97c00',
      'c249010000000000000000',
      '0000',
      '80',
      '6161',
      '05',
      '24',
      'f5',
      'f6',
      'fb3ff8000000000000',
      `${'81'.repeat(64)}00`,
      `${'81'.repeat(65)}00`,
      '81'.repeat(100_000),
      'a2686d65746164617461a0686d65746164617461a0',
      'a2686d65746164617461a0486d65746164617461a0',
      'a1646461746131a26161016161ff',
      'a16464617461a2616161626161616 3'.replaceAll(' ', ''),
      'a1686d65746164617461a1646e616d6561ff',
    ].map((hex) => post(configmaps(), Buffer.from(hex, 'hex'), sentOnly(cbor))),
  ),
  ask(
    'Protobuf that is refused',
    [
      '',
      '6b3873',
      '6b387300',
      '6b38730012',
      '6b38730012ff01',
      '6b387300120208ff',
      '6b38730012ffffffffffffffffff01',
      '6b3873000aff',
      '6b38730012020a7f',
      '6b38730012040a020a7f',
      '6b38730012020800',
      '6b387300120413131414',
      `6b387300${'12'.repeat(50)}`,
      '6b3873000a0f0a02763112094e6f7468696e67206100',
    ].map((hex) => post(configmaps(), Buffer.from(hex, 'hex'), sentOnly(protobuf))),
  ),
  ask(
    'YAML that is refused',
    [
      aliasBomb,
      '['.repeat(9_999) + ']'.repeat(9_999),
      '['.repeat(10_001),
      '['.repeat(100_000),
      '{a: '.repeat(10_001),
      '- '.repeat(11_000),
      'a: *nope',
      'a: &x [*x]',
      'a: "unclosed',
      'a: {b',
      'a: [b',
      'a: b: c',
      '- a\nb: c',
      'a: @x',
      'a: `x`',
      'a: "\\q"',
      'a: "\\ud800"',
      'a: !!int x',
      'a: !!binary "*"',
      'a: .nan',
      'a: .inf',
      '~: d',
      '[a, b]: c',
      '{a: b}: c',
      'b: {<<: 5}',
      'b: {<<: [1]}',
      'a: -',
      'a: |0\n  x',
      'a: |\n\tx',
      '%YAML 1.2\n---\na: b',
      '%FOO\n---\na: b',
      'a: "b\n---\nc"',
      'a: "\u0001"',
      'a: "\u007f"',
      'a: x\n b: y',
      'a:\n    - x\n   - y',
      ': c',
      'a b: c\nd',
      'a: "x" y',
      'a: & z',
      'a: !<x 5',
      'a: !a!b 5',
    ].map((body) => post(configmaps(), body, sentOnly(yaml))),
    [[0xff], [0xc3], [0xc3, 0x28], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]].map(
      (bytes) => post(configmaps(), Buffer.from([...Buffer.from('a: "'), ...bytes, 0x22]), sentOnly(yaml)),
    ),
  ),
  ask(
    'what plain YAML stands for',
    [
      'a: y\nb: Yes\nc: on\nd: Off\ne: tRue\nf: "y"',
      'a: 0o7\nb: 07\nc: 08\nd: 0x1F\ne: 0b101\nf: -0b11\ng: 1_000\nh: +5\nj: 0777',
      'a: 1e3\nb: 1e+3\nc: .5\nd: 5.\ne: 1.0\nf: 1e21\ng: 1.5e-7\nh: -0.0\ni: 1e400',
      'a: 9223372036854775807\nb: 18446744073709551615\nc: 18446744073709551616',
      'a: ~\nb: null\nc: Null\nd:\ne: nULL',
      'a: 2001-02-03\nb: 12:30:45\nc: 2001-12-14t21:59:43.10-05:00',
      'yes: c\n0x10: e\n1.5: f',
      'a: !!str 5\nb: !!int "5"\nc: !!float 5\nd: !!bool "true"\ne: !foo bar',
      'a: &x {p: 1}\nb:\n  <<: *x\n  q: 2\nc: {<<: [*x, {p: 7}]}',
      'a: >\n  folded\n  text\n\n  more\nb: |-\n  keep\nc: |+\n  k\n\nd: "x\\n  y"',
      'a: plain multi\n  line\nb: # comment\n  5',
      '? a\n: b\n? c',
      '- a\n- b: c\n  d: e\n-\n- - x\n  - y',
    ].map((data) =>
      post(
        controllerrevisions('?dryRun=All'),
        `metadata: {name: r}\nrevision: 1\ndata:\n${data.replaceAll(/^/gm, '  ')}\n`,
        sentOnly(yaml),
      ),
    ),
  ),
  ask(
    'binary bodies that are none',
    [protobuf, cbor].flatMap((type) =>
      ['', 'k8s\u0000', 'k8s\u0000x', '{"metadata":{"name":"a"}}', 'garbage'].map((body) =>
        post(configmaps(), body, { headers: { 'content-type': type } }),
      ),
    ),
  ),
];
