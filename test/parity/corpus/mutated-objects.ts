/** What `npm run test:attacks -- --only mutated` found: values that few clients send. */
import { encodeCbor } from '../../../src/codec/cbor/encode.ts';
import { ask, del, get, type JsonObject, post, put, send, subject } from '../case.ts';
import { configMap, configmaps, object, paths } from './objects.ts';

const authorization = paths('/apis/authorization.k8s.io/v1');
const runtimeclasses = paths('/apis/node.k8s.io/v1/runtimeclasses');

const storageversions = paths('/apis/internal.apiserver.k8s.io/v1alpha1/storageversions');
const candidates = paths('/apis/coordination.k8s.io/v1beta1/namespaces/{ns}/leasecandidates');
const claims = paths('/apis/resource.k8s.io/v1beta1/namespaces/{ns}/resourceclaims');
const quotas = paths('/api/v1/namespaces/{ns}/resourcequotas');

const patch = (path: string, type: string, body: string) =>
  send('PATCH', path, body, { headers: { 'content-type': `application/${type}` } });

const hugeNumbers = ['1e400', '-1e400', '1E400', '1'.repeat(310), '1e-400', '1e308'];

export const mutatedObjects = subject('mutated-objects', [
  ask(
    'patches with numbers beyond float64',
    post(configmaps(), configMap('a')),
    ...hugeNumbers.flatMap((number) => [
      patch(configmaps('a?dryRun=All'), 'merge-patch+json', `{"data":{"a":${number}}}`),
      patch(configmaps('a?dryRun=All&fieldValidation=Ignore'), 'merge-patch+json', `{"unknown":[${number}]}`),
      patch(configmaps('a?dryRun=All'), 'strategic-merge-patch+json', `{"unknown":[${number}]}`),
      patch(
        configmaps('a?dryRun=All'),
        'json-patch+json',
        `[{"op":"add","path":"/unknown","value":${number}}]`,
      ),
    ]),
  ),
  ask(
    'applied JSON is YAML: surrogates in escapes, and numbers beyond float64',
    ...['"\\ud83d\\ude00"', '"\\udc00"', '1E400', '-1e400', '1'.repeat(310), '"\\u00e4"'].map((value) =>
      patch(
        configmaps('a?fieldManager=m&dryRun=All'),
        'apply-patch+yaml',
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":${value}}}`,
      ),
    ),
  ),
  ask(
    'the namespace of a review is ignored',
    ...['subjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'].map((plural) =>
      post(
        authorization(plural),
        {
          metadata: { namespace: 'other' },
          spec: {
            ...(plural === 'subjectaccessreviews' && { user: 'nobody' }),
            ...(plural === 'selfsubjectrulesreviews'
              ? { namespace: 'default' }
              : { nonResourceAttributes: { path: '/x', verb: 'get' } }),
          },
        },
        { pick: ({ metadata }: JsonObject) => metadata ?? null },
      ),
    ),
  ),
  ask(
    'an update of a RuntimeClass is validated',
    post(runtimeclasses(), object('{name}', { handler: 'h' })),
    ...[
      { scheduling: { nodeSelector: { a: 'a b' } } },
      { scheduling: { tolerations: [{ tolerationSeconds: -1 }] } },
      { overhead: { podFixed: { cpu: '-1' } } },
      { metadata: { generateName: 'A b' } },
      { handler: 'A b' },
    ].map((fields) => patch(runtimeclasses('{name}?dryRun=All'), 'merge-patch+json', JSON.stringify(fields))),
    put(
      runtimeclasses('{name}?dryRun=All'),
      object('{name}', { handler: 'h', scheduling: { nodeSelector: { 'a b': '' } } }),
    ),
  ),
  ask(
    'an applied struct without fields has any',
    post(storageversions(), object('{name}.pods', { spec: {}, status: {} })),
    ...['{}', '{"a":1}', '{"a":{"b":[1,null]},"c":null}', '[]', '1', 'null'].map((spec) =>
      patch(
        storageversions('{name}.pods?fieldManager=m&force=true'),
        'apply-patch+yaml',
        `{"apiVersion":"internal.apiserver.k8s.io/v1alpha1","kind":"StorageVersion","metadata":{"name":"{name}.pods"},"spec":${spec}}`,
      ),
    ),
    get(storageversions('{name}.pods')),
    del(storageversions('{name}.pods')),
  ),
  ask(
    'CBOR has quantities as text',
    ...[1, -1, 1.5, '1', 'x', true, null, [], {}].map((cpu) => {
      const body = { apiVersion: 'v1', kind: 'ResourceQuota', ...object('a', { spec: { hard: { cpu } } }) };
      return post(quotas('?dryRun=All'), encodeCbor(body), {
        headers: { 'content-type': 'application/cbor' },
        pick: ({ code, spec }: JsonObject) => code ?? spec ?? null,
      });
    }),
    ...[1, 1.5, '1', 'x', true, null, [], {}].map((cpu) =>
      send(
        'PATCH',
        quotas('a?fieldManager=m&dryRun=All'),
        encodeCbor({ apiVersion: 'v1', kind: 'ResourceQuota', ...object('a', { spec: { hard: { cpu } } }) }),
        { headers: { 'content-type': 'application/apply-patch+cbor' } },
      ),
    ),
  ),
  ask(
    'the names of LeaseCandidates are keys',
    ...['Ab', 'a_b', '-a', '..a', 'a b', 'a:b', 'a/b', 'a%b', 'a'.repeat(254)].flatMap((name) => {
      const spec = {
        leaseName: 'l',
        strategy: 'OldestEmulationVersion',
        binaryVersion: '1.33.0',
        emulationVersion: '1.33.0',
      };
      return [
        post(candidates('?dryRun=All'), object(name, { spec })),
        post(candidates('?dryRun=All'), object('a', { spec }, { generateName: name })),
      ];
    }),
  ),
  ask(
    'a ResourceClaim keeps the generation of the client',
    ...[-1, 0, 7].map((generation) => post(claims('?dryRun=All'), object('a', { spec: {} }, { generation }))),
  ),
  ask(
    'a generateName that is not used changes the error of a name that is taken',
    post(configmaps(), configMap('a', {}, { finalizers: ['example.com/f'] })),
    post(configmaps(), configMap('a', {}, { generateName: 'b-' })),
    del(configmaps('a')),
    post(configmaps(), configMap('a', {}, { generateName: 'b-' })),
    post(configmaps(), configMap('a')),
  ),
]);
