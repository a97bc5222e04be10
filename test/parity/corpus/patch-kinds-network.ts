import type { JsonObject } from '../case.ts';
import { endpointslices, ingresses, leases, networkpolicies, object, paths, services } from './objects.ts';
import { add, remove, replace } from './patch-bodies.ts';
import type { PatchedKind } from './patch-kinds.ts';
import { serviceaccounts } from './pod-spec-cases.ts';

const roles = paths('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles');
const bindings = paths('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings');
const webhooks = paths('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations');
const port = (port: number, more: JsonObject = {}) => ({ port, protocol: 'TCP', targetPort: port, ...more });
const rule = (resources: string[]) => ({ apiGroups: [''], resources, verbs: ['get'] });
const subjectOf = (name: string) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });
const backend = (name: string) => ({ service: { name, port: { number: 80 } } });
const webhook = (name: string) => ({
  name,
  clientConfig: { url: 'https://example.com' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
});

/** Patches of how things reach each other, and of who may. */
export const patchedNetwork: Record<string, PatchedKind> = {
  Service: {
    path: services,
    make: object('a', {
      spec: {
        clusterIP: 'None',
        selector: { a: 'b' },
        ports: [port(80, { name: 'x' }), port(81, { name: 'y' })],
      },
    }),
    patches: [
      { spec: { selector: { a: null, c: 'd' } } },
      { spec: { selector: null } },
      { spec: { type: 'ExternalName' } },
      { spec: { sessionAffinity: 'ClientIP' } },
      { spec: { clusterIP: '1.2.3.4' } },
    ],
    strategic: [
      { spec: { ports: [{ port: 80, targetPort: 'web' }] } },
      { spec: { ports: [{ port: 82, name: 'z' }] } },
      { spec: { ports: [{ port: 82 }] } },
      { spec: { ports: [{ name: 'x', targetPort: 1 }] } },
      { spec: { ports: [{ port: 80, $patch: 'delete' }] } },
      { spec: { '$setElementOrder/ports': [{ port: 81 }, { port: 80 }] } },
      { status: { conditions: [{ type: 'A', status: 'True' }] } },
    ],
    steps: [
      [replace('/spec/ports/0/port', 90)],
      [add('/spec/ports/-', { port: 80, name: 'q' })],
      [remove('/spec/ports')],
    ],
  },
  Ingress: {
    path: ingresses,
    make: object('a', {
      spec: {
        defaultBackend: backend('s'),
        rules: [{ host: 'h', http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend('s') }] } }],
      },
    }),
    patches: [
      { spec: { ingressClassName: 'c' } },
      { spec: { defaultBackend: null } },
      { spec: { rules: null, defaultBackend: null } },
      { spec: { tls: [{ hosts: ['h'] }] } },
    ],
    strategic: [
      { spec: { rules: [{ host: 'i' }] } },
      { spec: { defaultBackend: { $patch: 'replace', service: { name: 't', port: { name: 'x' } } } } },
      { spec: { defaultBackend: { service: { port: { name: 'x' } } } } },
    ],
    steps: [[replace('/spec/rules/0/host', 'H_')], [add('/spec/rules/-', { host: 'k' })]],
  },
  NetworkPolicy: {
    path: networkpolicies,
    make: object('a', {
      spec: { podSelector: { matchLabels: { a: 'b' } }, ingress: [{ ports: [{ port: 80 }] }] },
    }),
    patches: [
      { spec: { podSelector: {} } },
      { spec: { policyTypes: ['Egress'] } },
      { spec: { policyTypes: ['X'] } },
      { spec: { ingress: [{ from: [{}] }] } },
    ],
    strategic: [
      { spec: { podSelector: { $patch: 'replace' } } },
      { spec: { ingress: [{ $patch: 'replace' }] } },
    ],
    steps: [
      [add('/spec/ingress/0/ports/-', { port: 'web' })],
      [replace('/spec/ingress/0/ports/0/port', 99_999)],
    ],
  },
  EndpointSlice: {
    path: endpointslices,
    make: object('a', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['1.2.3.4'] }],
      ports: [{ port: 80, name: 'x' }],
    }),
    patches: [{ endpoints: [] }, { addressType: 'IPv6' }, { ports: null }],
    strategic: [{ ports: [{ port: 81, name: 'y' }] }, { endpoints: [{ $patch: 'replace' }] }],
    steps: [[add('/endpoints/-', { addresses: ['1.2.3.5'] })], [add('/endpoints/-', { addresses: ['x'] })]],
  },
  Lease: {
    path: leases,
    make: object('a', { spec: { holderIdentity: 'h', leaseDurationSeconds: 5 } }),
    patches: [
      { spec: { renewTime: '2024-01-02T03:04:05.678901Z' } },
      { spec: { leaseDurationSeconds: 0 } },
      { spec: { renewTime: 'x' } },
      { spec: { holderIdentity: null } },
    ],
    strategic: [{ spec: { $patch: 'replace', holderIdentity: 'i' } }, { spec: { leaseTransitions: '5' } }],
    steps: [[replace('/spec/holderIdentity', 'j')], [replace('/spec/leaseDurationSeconds', -1)]],
  },
  Role: {
    path: roles,
    make: object('a', { rules: [rule(['pods'])] }),
    patches: [{ rules: [rule(['nodes'])] }, { rules: null }, { rules: [{}] }, { rules: [{ resources: 5 }] }],
    strategic: [{ rules: [{ $patch: 'replace' }] }, { rules: [{ $patch: 'delete', apiGroups: [''] }] }],
    steps: [
      [add('/rules/-', rule(['secrets']))],
      [add('/rules/0/verbs/-', 'list')],
      [remove('/rules/0/verbs')],
    ],
  },
  RoleBinding: {
    path: bindings,
    make: object('a', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [subjectOf('u')],
    }),
    patches: [{ subjects: [subjectOf('v')] }, { roleRef: { name: 'other' } }, { subjects: null }],
    strategic: [{ subjects: [{ name: 'u', $patch: 'delete' }] }],
    steps: [[add('/subjects/-', subjectOf('w'))], [replace('/subjects/0/kind', 'Nobody')]],
  },
  ServiceAccount: {
    path: serviceaccounts,
    make: object('a', { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }] }),
    patches: [
      { automountServiceAccountToken: false },
      { secrets: [{ name: 't' }] },
      { imagePullSecrets: [{ name: 'q' }] },
    ],
    strategic: [
      { secrets: [{ name: 's', namespace: 'x' }] },
      { secrets: [{ name: 's', $patch: 'delete' }] },
      { secrets: [{ namespace: 'x' }] },
      { imagePullSecrets: [{ name: 'p', $patch: 'delete' }] },
      { '$setElementOrder/secrets': [{ name: 't' }, { name: 's' }], secrets: [{ name: 't' }] },
    ],
    steps: [[add('/secrets/-', { name: 'u' })], [remove('/secrets/0')]],
  },
  ValidatingWebhookConfiguration: {
    path: webhooks,
    make: object('{name}', { webhooks: [webhook('a.b.c'), webhook('d.e.f')] }),
    patches: [{ webhooks: [webhook('g.h.i')] }, { webhooks: [{ name: 'a.b.c' }] }],
    strategic: [
      { webhooks: [{ name: 'a.b.c', failurePolicy: 'Ignore' }] },
      { webhooks: [{ name: 'a.b.c', $patch: 'delete' }] },
      { webhooks: [{ failurePolicy: 'Ignore' }] },
      { '$setElementOrder/webhooks': [{ name: 'd.e.f' }, { name: 'a.b.c' }] },
    ],
    steps: [
      [replace('/webhooks/0/timeoutSeconds', 5)],
      [remove('/webhooks/1')],
      [remove('/webhooks/0/name')],
    ],
  },
};
