// managedFields of custom resources that name a version which their CRD no longer has, or no longer serves.
import { ask, get, type JsonObject, post, put, remade, type Step, send, subject } from '../case.ts';
import { patchBy } from './applies.ts';
import { apply, definition, foo, foos, group, serve, version, withSpec } from './custom-foos.ts';

const in2 = `/apis/${group}/v2/namespaces/{ns}/foos`;
const text = { type: 'string' };
const schema = withSpec({ a: text, b: text, size: { type: 'integer' } });
const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
const subresources: JsonObject = { status: {}, scale };
const one = version(schema, { subresources });
const two = version(schema, { subresources, name: 'v2', storage: false });

/** The new versions have one more column, which shows when the reference serves them: it does so later than it says. */
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const column = { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] };
const hasColumn = ({ columnDefinitions = [] }: JsonObject, name: string) =>
  (columnDefinitions as JsonObject[]).some((definition) => definition.name === name);

const setVersions = (versions: JsonObject[]): Step[] => [
  send(
    'PATCH',
    definition,
    { spec: { versions } },
    { headers: { 'content-type': 'application/merge-patch+json' }, pick: () => 'changed' },
  ),
  get(`${foos}/a`, { headers: table, until: (body) => hasColumn(body, 'A'), pick: () => 'served' }),
];
const changed = { ...one, ...column };
const withoutTwo = setVersions([changed]);
const withTwoUnserved = setVersions([changed, { ...two, served: false }]);

const inOne = (spec: JsonObject) => foo('a', { spec });
const inTwo = (spec: JsonObject) => foo('a', { spec }, 'v2');
const scaleOf = (replicas: number): JsonObject => ({
  ...{ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a', namespace: '{ns}' } },
  spec: { replicas },
});
/** An object with an entry of an apply in the version that will be removed, and one of an update in the other. */
const object: Step[] = [
  ...serve([one, two]),
  apply(`${in2}/a`, 'former', inTwo({ a: 'x', size: 1 })),
  patchBy('current', `${foos}/a`, { spec: { b: 'x' } }),
];
const read = get(`${foos}/a`, { as: 'a' });

export const applyRemovedVersions = subject('apply-removed-versions', [
  ask(
    'an apply fails, whoever applies and whatever',
    object,
    withoutTwo,
    read,
    apply(`${foos}/a`, 'other', inOne({ b: 'x' })),
    apply(`${foos}/a`, 'other', inOne({ a: 'y' })),
    apply(`${foos}/a`, 'other', inOne({ a: 'y' }), true),
    apply(`${foos}/a`, 'former', inOne({ a: 'x', size: 1 })),
    apply(`${foos}/a/status`, 'other', foo('a', { status: { size: 2 } })),
    apply(`${foos}/a/scale`, 'other', scaleOf(1)),
    read,
  ),
  ask(
    'an update removes all managedFields, and an apply starts them again',
    object,
    withoutTwo,
    read,
    put(`${foos}/a?fieldManager=other`, remade('a', {}, { spec: { a: 'x', b: 'z', size: 1 } })),
    patchBy('other', `${foos}/a`, { spec: { a: 'y' } }),
    apply(`${foos}/a`, 'other', inOne({ a: 'y' })),
  ),
  ask(
    'an update that changes nothing else',
    object,
    withoutTwo,
    read,
    put(`${foos}/a?fieldManager=other`, remade('a', {})),
    read,
  ),
  ask(
    'a patch that changes nothing else',
    object,
    withoutTwo,
    read,
    patchBy('other', `${foos}/a`, { spec: { a: 'x' } }),
    read,
  ),
  ask(
    'a patch, and one of the manager itself',
    object,
    withoutTwo,
    read,
    patchBy('former', `${foos}/a`, { spec: { b: 'y' } }),
    read,
  ),
  ask(
    'an update by the manager that updated in the removed version',
    serve([one, two]),
    post(`${in2}?fieldManager=former`, inTwo({ a: 'x' })),
    withoutTwo,
    read,
    patchBy('former', `${foos}/a`, { spec: { a: 'y' } }),
  ),
  ask(
    'a write of the status',
    object,
    withoutTwo,
    patchBy('other', `${foos}/a/status`, { status: { size: 2 } }),
    read,
  ),
  ask(
    'a write of the scale',
    object,
    withoutTwo,
    patchBy('other', `${foos}/a/scale`, { spec: { replicas: 2 } }),
    read,
  ),
  ask(
    'a client sends managedFields of a version that never was',
    serve([one]),
    post(`${foos}?fieldManager=maker`, inOne({ a: 'x' })),
    read,
    put(
      `${foos}/a?fieldManager=other`,
      remade('a', {
        managedFields: [
          {
            ...{ manager: 'odd', operation: 'Update', apiVersion: `${group}/v9`, fieldsType: 'FieldsV1' },
            fieldsV1: { 'f:spec': { 'f:a': {} } },
          },
        ],
      }),
    ),
    read,
    apply(`${foos}/a`, 'other', inOne({ b: 'y' })),
  ),
  ask(
    'a new object has managedFields of a version that never was',
    serve([one]),
    post(
      `${foos}?fieldManager=maker`,
      foo('a', {
        metadata: {
          name: 'a',
          managedFields: [
            {
              ...{ manager: 'odd', operation: 'Update', apiVersion: `${group}/v9`, fieldsType: 'FieldsV1' },
              fieldsV1: { 'f:spec': { 'f:a': {} } },
            },
          ],
        },
        spec: { a: 'x' },
      }),
    ),
  ),
  ask(
    'the scale of an object of which nobody manages the replicas',
    serve([one]),
    post(`${foos}?fieldManager=maker`, inOne({ a: 'x' })),
    apply(`${foos}/a/scale`, 'other', scaleOf(1)),
    patchBy('other', `${foos}/a/scale`, { spec: { replicas: 2 } }),
    apply(`${foos}/a/scale`, 'other', scaleOf(2)),
    read,
  ),
  ask(
    'a client sends managedFields of another group',
    serve([one]),
    post(`${foos}?fieldManager=maker`, inOne({ a: 'x' })),
    read,
    put(
      `${foos}/a?fieldManager=other`,
      remade('a', {
        managedFields: [
          {
            ...{ manager: 'odd', operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1' },
            fieldsV1: { 'f:spec': { 'f:a': {} } },
          },
        ],
      }),
    ),
    read,
    apply(`${foos}/a`, 'other', inOne({ b: 'y' })),
  ),
  ask(
    'a version that the CRD still has, but does not serve',
    object,
    withTwoUnserved,
    read,
    apply(`${foos}/a`, 'other', inOne({ a: 'y' })),
    apply(`${foos}/a`, 'former', inOne({ a: 'z' })),
    patchBy('other', `${foos}/a`, { spec: { size: 3 } }),
    read,
  ),
]);
