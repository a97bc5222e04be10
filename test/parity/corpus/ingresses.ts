import { ask, del, get, type JsonObject, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { ingresses, object } from './objects.ts';

const to = (service: JsonObject): JsonObject => ({ service });
const backend = to({ name: 'web', port: { number: 80 } });
const path = (fields: JsonObject = {}): JsonObject => ({ path: '/', pathType: 'Prefix', backend, ...fields });
const tried = (spec: JsonObject, metadata: JsonObject = {}): Step =>
  post(ingresses('?dryRun=All'), object('a', { spec }, metadata));
const rule = (...rules: JsonObject[]): Step => tried({ rules });
const host = (name: string): Step => rule({ host: name, http: { paths: [path()] } });
const onePath = (fields: JsonObject): Step => rule({ http: { paths: [path(fields)] } });
const minimal = object('a', { spec: { defaultBackend: backend } });
const classAnnotation = { annotations: { 'kubernetes.io/ingress.class': 'nginx' } };

export const ingressRules = subject('ingresses', [
  ask(
    'what they need at least',
    tried({}),
    post(ingresses('?dryRun=All'), object('a')),
    tried({ defaultBackend: backend }),
    tried({ rules: [] }),
    rule({}),
    rule({ host: 'a.b' }),
    rule({ http: {} }),
    rule({ http: { paths: [] } }),
    rule({ http: { paths: [{}] } }),
    rule({ http: { paths: [path()] } }, { host: 'b.c', http: { paths: [path({ path: '/x' })] } }),
    tried({ defaultBackend: backend, rules: [{ host: 'a.b' }], tls: [{}] }),
    ['UPPER', 'a.b', 'a'.repeat(254), 'a_b'].map((name) =>
      post(ingresses('?dryRun=All'), object(name, { spec: { defaultBackend: backend } })),
    ),
  ),
  ask(
    'backends',
    [
      {},
      to({}),
      to({ name: 'a' }),
      to({ name: 'a', port: {} }),
      to({ name: 'a', port: { number: 0 } }),
      to({ name: 'a', port: { number: -1 } }),
      to({ name: 'a', port: { number: 65536 } }),
      to({ name: 'a', port: { name: 'http' } }),
      to({ name: 'a', port: { name: 'http', number: 80 } }),
      to({ name: 'a', port: { name: 'HTTP' } }),
      to({ name: 'a', port: { name: 'a--b' } }),
      to({ name: 'UPPER', port: { number: 80 } }),
      to({ name: '9', port: { number: 80 } }),
      to({ name: 'a.b', port: { number: 80 } }),
      { resource: { kind: 'Bucket', name: 'a', apiGroup: 'example.com' } },
      { resource: { kind: 'Bucket', name: 'a' } },
      { resource: { apiGroup: 'example.com' } },
      { resource: { apiGroup: 'UPPER', kind: 'a/b', name: 'a/b' } },
      { resource: { kind: 'Bucket', name: 'a' }, service: { name: 'a', port: { number: 1 } } },
    ].flatMap((candidate) => [tried({ defaultBackend: candidate }), onePath({ backend: candidate })]),
  ),
  ask(
    'paths and how they match',
    [
      {},
      { path: '' },
      { path: 'x' },
      { path: '/x', pathType: 'Exact' },
      { path: '/x//y' },
      { path: '/x/./y' },
      { path: '/x/../y' },
      { path: '/x/.' },
      { path: '/x/..' },
      { path: '/a%2fb' },
      { path: '/a%2Fb', pathType: 'Exact' },
      { path: '/[a', pathType: 'ImplementationSpecific' },
      { path: '/a//b', pathType: 'ImplementationSpecific' },
      { path: '', pathType: 'ImplementationSpecific' },
      { path: 'x', pathType: 'ImplementationSpecific' },
      { pathType: null },
      { pathType: '' },
      { pathType: 'Nope' },
      { pathType: 'prefix' },
      { path: '', pathType: 'Exact' },
    ].map(onePath),
    rule({ http: { paths: [path(), path()] } }),
  ),
  ask(
    'hosts',
    [
      '',
      'a',
      'a.b',
      '*.a.b',
      '*',
      '*.*.a',
      'a.*.b',
      '*a.b',
      'UPPER.b',
      '192.0.2.1',
      '2001:db8::1',
      'a.b:80',
      'a_b',
      '*.UPPER',
      '*.a',
      `${'a'.repeat(64)}.b`,
      '1.2.3',
    ].map(host),
    [[], ['a.b'], ['*.a.b'], ['UPPER'], ['a.b', 'a.b'], ['*'], ['192.0.2.1'], ['']].map((hosts) =>
      tried({ defaultBackend: backend, tls: [{ hosts }] }),
    ),
    ['', 'a', 'UPPER', 'a/b', 'a.b'].map((secretName) =>
      tried({ defaultBackend: backend, tls: [{ secretName }] }),
    ),
  ),
  ask(
    'classes',
    ['nginx', '', 'UPPER', 'a.b', 'a/b'].map((ingressClassName) =>
      tried({ defaultBackend: backend, ingressClassName }),
    ),
    tried({ defaultBackend: backend }, classAnnotation),
    tried({ defaultBackend: backend, ingressClassName: 'nginx' }, classAnnotation),
    tried({ defaultBackend: backend }, { annotations: { 'kubernetes.io/ingress.class': '' } }),
    tried({ defaultBackend: backend, ingressClassName: 'UPPER' }, classAnnotation),
  ),
  ask(
    'updates',
    post(ingresses(), minimal, { as: 'a' }),
    [
      { ingressClassName: 'nginx' },
      { defaultBackend: null },
      { rules: [{ http: { paths: [path({ path: 'x' })] } }] },
      { rules: [{ host: '*', http: { paths: [path({ pathType: null })] } }] },
      { tls: [{ hosts: ['UPPER'] }] },
    ].map((spec) => put(ingresses('a?dryRun=All'), withChange('a', { spec }))),
    put(
      ingresses('a?dryRun=All'),
      object('a', { spec: { defaultBackend: backend, ingressClassName: 'x' } }, classAnnotation),
    ),
    put(ingresses('a?dryRun=All'), object('a', { spec: { defaultBackend: backend } }, classAnnotation)),
    put(ingresses('nope'), object('nope', { spec: { defaultBackend: backend } })),
    del(ingresses('a')),
  ),
  ask(
    'a status names where they are balanced',
    post(ingresses(), minimal, { as: 'a' }),
    [
      [{ ip: '192.0.2.1' }],
      [{ hostname: 'a.b' }],
      [{ hostname: '192.0.2.1' }],
      [{ hostname: 'UPPER' }],
      [{ ip: 'x' }],
      [{ ip: '01.2.3.4' }],
      [{ ip: '2001:DB8::0' }],
      [{}],
      [{ ip: '192.0.2.1', ports: [{ port: 80, protocol: 'TCP', error: 'example.com/bad' }] }],
      [{ ip: '192.0.2.1', ports: [{ port: 0, protocol: 'x', error: 'b b' }] }],
    ].map((ingress) =>
      put(ingresses('a/status?dryRun=All'), withChange('a', { status: { loadBalancer: { ingress } } })),
    ),
    del(ingresses('a')),
    get(ingresses('a/status')),
  ),
  ...lifecycle(ingresses, minimal, {
    full: object('full', {
      spec: {
        ingressClassName: 'nginx',
        defaultBackend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'assets' } },
        tls: [{ hosts: ['a.b', '*.c.d'], secretName: 'tls' }],
        rules: [
          { host: 'a.b', http: { paths: [path(), path({ path: '/x', pathType: 'Exact' })] } },
          {
            host: '*.c.d',
            http: {
              paths: [
                path({
                  pathType: 'ImplementationSpecific',
                  backend: to({ name: 'w', port: { name: 'http' } }),
                }),
              ],
            },
          },
          { http: { paths: [path()] } },
        ],
      },
    }),
    change: { spec: { defaultBackend: to({ name: 'other', port: { number: 81 } }) } },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1', ports: [{ port: 80, protocol: 'TCP' }] }] } },
  }),
]);
