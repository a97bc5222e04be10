import { accepted, texts } from '../../../src/schema/formats/formats.fixture.ts';
import { ask, type JsonObject, post, subject } from '../case.ts';
import { foo, foos, group, serve, version } from './custom-foos.ts';

/** One property for each format: the reference checks properties in any order, and the items of a list in theirs. */
const formats = [
  ...Object.keys(accepted),
  'password',
  ...['date-time', 'bson-object-id', 'credit-card', 'k8s-short-name', 'Datetime', 'int32', 'unknown'],
];
const properties: JsonObject = Object.fromEntries(
  formats.map((format) => [format, { type: 'array', items: { type: 'string', format } }]),
);

const limits: JsonObject[] = [
  ...[0.1, 0.01, 3, 0.3, 1e10, 9007199254740992, 1e300, 0].map((multipleOf) => ({ multipleOf })),
  ...[{ maximum: 9007199254740992 }, { minimum: 9007199254740992, exclusiveMinimum: true }],
  ...[{ maximum: 0.3 }, { minimum: 0.3, exclusiveMinimum: true }],
];
/** Without `1.0` and `1e3`: the release takes those for floats until they have been stored. */
const numbers = [
  ...['0', '-0', '1', '3', '-3', '10', '9007199254740992', '9007199254740993', '9223372036854775807'],
  ...['-9223372036854775808', '9223372036854775808', '0.1', '0.3', '0.30000000000000004', '0.7', '3.3'],
  ...['-0.3', '19.99', '1e-9', '1e21', '1e300', '1e400'],
];
const limited: JsonObject = Object.fromEntries(
  limits.map((limit, i) => [`n${i}`, { type: 'number', ...limit }]),
);

export const crdFormats = subject('crd-formats', [
  ask(
    'numbers and their limits',
    ...serve([version({ type: 'object', properties: limited })]),
    ...limits.flatMap((_, i) =>
      numbers.map((number) =>
        post(
          `${foos}?dryRun=All`,
          `{"apiVersion":"${group}/v1","kind":"Foo","metadata":{"name":"a"},"n${i}":${number}}`,
        ),
      ),
    ),
  ),
  ask(
    'every format with texts that look like one',
    ...serve([version({ type: 'object', properties })]),
    ...formats.map((format) => post(`${foos}?dryRun=All`, foo('a', { [format]: [...new Set(texts)] }))),
  ),
]);
