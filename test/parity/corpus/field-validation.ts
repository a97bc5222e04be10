import { ask, get, post, put, subject } from '../case.ts';
import { configMap, configmaps, endpoints, leases, limitranges, namespaces, secrets } from './objects.ts';

const unknownAndDuplicate =
  '{"metadata":{"name":"a","bar":1},"foo":{"x":1},"data":{"k":"1","k":"2"},"data":{"z":"3"}}';

export const fieldValidation = subject('field-validation', [
  ask(
    'unknown and duplicate fields, in each mode',
    [
      '',
      '?fieldValidation=',
      '?fieldValidation=Strict',
      '?fieldValidation=Warn',
      '?fieldValidation=Ignore',
    ].flatMap((query) => [post(configmaps(`${query || '?'}&dryRun=All`), unknownAndDuplicate)]),
    ['strict', 'foo', 'Strict,Warn', 'Warn&fieldValidation=Strict'].map((mode) =>
      post(configmaps(`?dryRun=All&fieldValidation=${mode}`), unknownAndDuplicate),
    ),
  ),
  ask(
    'each way to be unknown or a duplicate, strictly',
    [
      '{"metadata":{"name":"a"},"spec":{}}',
      '{"metadata":{"name":"a"},"Data":{}}',
      '{"metadata":{"name":"a","Name":"b"}}',
      '{"metadata":{"name":"a","clusterName":"x"}}',
      '{"metadata":{"name":"a","selfLink":"x"}}',
      '{"metadata":{"name":"a","name":"b"}}',
      '{"metadata":{"name":"a"},"metadata":{"name":"b"}}',
      '{"kind":"ConfigMap","kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}',
      '{"metadata":{"name":"a","labels":{"x":"1","x":"2"}}}',
      '{"metadata":{"name":"a","ownerReferences":[{"uid":"u","uid":"u","foo":1}]}}',
      '{"metadata":{"name":"a"},"immutable":true,"immutable":null}',
      '{"metadata":{"name":"a"},"":1}',
      '{"metadata":{"name":"a"},"a.b":1,"quo\\"te":1}',
      '{"metadata":{"name":"a"},"foo":{"deep":{"deeper":1}}}',
      '{"metadata":{"name":"a"},"foo":1,"foo":2}',
      `{"metadata":{"name":"a"},${[...Array(12).keys()].map((n) => `"u${n}":${n}`).join()}}`,
      '{"metadata":{"name":"a"},"data":{"k":1},"foo":1}',
    ].map((body) => post(configmaps('?fieldValidation=Strict&dryRun=All'), body)),
  ),
  ask(
    'the path to an unknown field, in other kinds',
    post(
      limitranges('?fieldValidation=Strict'),
      '{"metadata":{"name":"a"},"spec":{"limits":[{"type":"Pod"},{"type":"Pod","foo":1}],"bar":1}}',
    ),
    post(
      endpoints('?fieldValidation=Strict'),
      '{"metadata":{"name":"a"},"subsets":[{"addresses":[{"ip":"10.0.0.1","foo":1}],"ports":[{"port":1,"port":2}]}]}',
    ),
    post(
      leases('?fieldValidation=Strict'),
      '{"metadata":{"name":"a"},"spec":{"holder":"x","holderIdentity":"a","holderIdentity":"b"}}',
    ),
    post(
      secrets('?fieldValidation=Strict'),
      '{"metadata":{"name":"a"},"data":{"k":"","k":""},"stringdata":{}}',
    ),
    post(
      namespaces('?fieldValidation=Strict'),
      '{"metadata":{"name":"{name}"},"spec":{"finalisers":[]},"status":{"foo":1}}',
    ),
    get(namespaces('{name}')),
  ),
  ask(
    'on update',
    post(configmaps(), configMap('a')),
    ['Strict', 'Warn', 'Ignore', 'foo'].map((mode) =>
      put(configmaps(`a?fieldValidation=${mode}`), unknownAndDuplicate),
    ),
    put(configmaps('a'), unknownAndDuplicate),
  ),
  ask(
    'a warning comes with a refusal too',
    post(configmaps(), '{"metadata":{"name":"UPPER"},"foo":1}'),
    post(configmaps(), '{"metadata":{"name":"a","namespace":"elsewhere"},"foo":1}'),
    post(configmaps(), '{"metadata":{"name":1},"foo":1}'),
  ),
  ask(
    'a warning quotes what would break the header',
    post(
      configmaps(),
      '{"metadata":{"name":"a"},"quo\\"te":1,"back\\\\slash":1,"new\\nline":1,"ünïcode":1,"tab\\t":1}',
    ),
  ),
]);
