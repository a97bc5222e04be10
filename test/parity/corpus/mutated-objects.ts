/** What `npm run test:attacks -- --only mutated` found: values that few clients send. */
import { ask, type JsonObject, post, put, send, subject } from '../case.ts';
import { configMap, configmaps, object, paths } from './objects.ts';

const authorization = paths('/apis/authorization.k8s.io/v1');
const runtimeclasses = paths('/apis/node.k8s.io/v1/runtimeclasses');

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
]);
