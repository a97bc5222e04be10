import { accepted, texts } from '../../../src/api/apiextensions/formats.fixture.ts';
import { ask, type JsonObject, post, subject } from '../case.ts';
import { foo, foos, serve, version } from './custom-foos.ts';

/** One property for each format: the reference checks properties in any order, and the items of a list in theirs. */
const formats = [
  ...Object.keys(accepted),
  'password',
  ...['date-time', 'bson-object-id', 'credit-card', 'k8s-short-name', 'Datetime', 'int32', 'unknown'],
];
const properties: JsonObject = Object.fromEntries(
  formats.map((format) => [format, { type: 'array', items: { type: 'string', format } }]),
);

export const crdFormats = subject('crd-formats', [
  ask(
    'every format with texts that look like one',
    ...serve([version({ type: 'object', properties })]),
    ...formats.map((format) => post(`${foos}?dryRun=All`, foo('a', { [format]: [...new Set(texts)] }))),
  ),
]);
