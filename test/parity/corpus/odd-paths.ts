import { ask, get, post, type Step, send, subject } from '../case.ts';
import { bob } from './authorization.ts';
import { configMap, configmaps } from './objects.ts';

/** What is authorized, by how somebody without rights is refused, and what is then served. */
const both = (path: string, method = 'GET'): Step[] => [
  send(method, path, undefined, bob),
  send(method, path),
];

/** Paths and queries that two readers could understand differently. */
export const oddPaths = subject('odd-paths', [
  ask(
    'a path does not leave its resource',
    post(configmaps(), configMap('a')),
    [
      '%2e%2e/secrets',
      '..%2fsecrets%2fx',
      'a/../../secrets',
      '//a',
      'a//',
      'a%2f',
      '%2fa',
      'a%00',
      'a;b',
      '%252e',
    ].flatMap((way) => both(configmaps(way))),
  ),
  ask(
    'the core group is not reached as a group without a name',
    post(configmaps(), configMap('a')),
    [
      '/apis//',
      '/apis//v1',
      '/apis//v1/configmaps',
      '/apis//v1/namespaces/{ns}/configmaps',
      '/apis//v1/namespaces/{ns}/configmaps/a',
      '/apis//v1/watch/configmaps',
      '/apis//v1/nope',
      '/apis//apps/v1/deployments',
    ].flatMap((path) => both(path)),
    ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      both('/apis//v1/namespaces/{ns}/configmaps/a', method),
    ),
  ),
  ask(
    'an open path does not lead to a closed one',
    [
      '/healthz/../metrics',
      '/livez/..%2fmetrics',
      '/apis/../metrics',
      '//metrics',
      '/metrics/',
      '/./metrics',
    ].flatMap((path) => both(path)),
  ),
  ask(
    'a cluster-scoped object is not reached through a namespace',
    [
      '/api/v1/namespaces/{ns}/namespaces/{ns}',
      '/api/v1/namespaces/{ns}/namespaces/{ns}/status',
      '/api/v1/namespaces/{ns}/namespaces',
      '/api/v1/namespaces/{ns}/nodes/x',
      '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/clusterroles',
    ].flatMap((path) => [...both(path), ...both(path, 'DELETE')]),
  ),
  ask(
    'a namespaced object is not reached without its namespace',
    ['/api/v1/configmaps/a', '/api/v1/namespaces//configmaps/a'].flatMap((path) => both(path)),
    both('/api/v1/configmaps', 'DELETE'),
  ),
  ask(
    'a field selector names the same object to both',
    post(configmaps(), configMap('a')),
    post(configmaps(), configMap('b')),
    [
      'fieldSelector=metadata.name%3Da',
      'field%53elector=metadata.name%3Da',
      'fieldSelector=metadata.name%3Da;',
      'fieldSelector=metadata.name%3Da,metadata.namespace!%3D;',
      'fieldSelector=metadata.name%3Da%zz',
      'fieldSelector=metadata.name%3Da&fieldSelector=metadata.name%3Db',
      'fieldSelector=metadata.name!%3Da',
    ].flatMap((query) => both(`${configmaps()}?${query}`)),
  ),
  ask(
    'a watch is a watch to both',
    ['watch=1;', 'watch=%zz', 'watch=false&watch=1', 'x=watch'].flatMap((query) =>
      both(`${configmaps()}?${query}`),
    ),
    get(`${configmaps()}?w%61tch=1`, bob),
  ),
  ask(
    'the deprecated watch paths lead to no subresource',
    ['proxy/x', 'status', 'log', 'exec?command=id'].flatMap((part) =>
      both(`/api/v1/watch/namespaces/{ns}/pods/p/${part}`),
    ),
    both('/api/v1/watch/namespaces/{ns}/pods/p/proxy', 'POST'),
    both('/api/v1/proxy/namespaces/{ns}/pods/p'),
  ),
]);
