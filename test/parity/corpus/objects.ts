import type { JsonObject } from '../case.ts';

/**
 * Paths of the kinds the corpus asks for, in the case's own namespace: `configmaps()` is the collection,
 * `configmaps('a')` an object, `configmaps('?limit=1')` a query on the collection.
 */
export const configmaps = paths('/api/v1/namespaces/{ns}/configmaps');
export const secrets = paths('/api/v1/namespaces/{ns}/secrets');
export const limitranges = paths('/api/v1/namespaces/{ns}/limitranges');
export const endpoints = paths('/api/v1/namespaces/{ns}/endpoints');
export const coreEvents = paths('/api/v1/namespaces/{ns}/events');
export const events = paths('/apis/events.k8s.io/v1/namespaces/{ns}/events');
export const controllerrevisions = paths('/apis/apps/v1/namespaces/{ns}/controllerrevisions');
export const leases = paths('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases');
export const namespaces = paths('/api/v1/namespaces');
export const services = paths('/api/v1/namespaces/{ns}/services');
export const endpointslices = paths('/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices');
export const ingresses = paths('/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses');
export const networkpolicies = paths('/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies');
export const ingressclasses = paths('/apis/networking.k8s.io/v1/ingressclasses');
export const ipaddresses = paths('/apis/networking.k8s.io/v1/ipaddresses');
export const servicecidrs = paths('/apis/networking.k8s.io/v1/servicecidrs');

export function paths(collection: string): (rest?: string) => string {
  return (rest = '') => (rest === '' || /^[/?]/.test(rest) ? collection + rest : `${collection}/${rest}`);
}

/** An object of the kind the path says: a name, its own fields, and what else its metadata holds. */
export function object(name: string, fields: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { metadata: { name, ...metadata }, ...fields };
}

export function configMap(
  name: string,
  data: JsonObject = { k: 'v' },
  metadata: JsonObject = {},
): JsonObject {
  return object(name, { data }, metadata);
}

export function labelled(name: string, labels: JsonObject): JsonObject {
  return object(name, {}, { labels });
}

export const revision = (name: string, fields: JsonObject = { revision: 1, data: {} }): JsonObject =>
  object(name, fields);

export const coreEvent = (name: string, fields: JsonObject = {}): JsonObject =>
  object(name, { involvedObject: { kind: 'ConfigMap', name: 'a', namespace: '{ns}' }, ...fields });

export const event = (name: string, fields: JsonObject = {}): JsonObject =>
  object(name, {
    eventTime: '2024-05-06T07:08:09.123456Z',
    reportingController: 'example.com/controller',
    reportingInstance: 'instance-1',
    action: 'Acted',
    reason: 'Because',
    type: 'Normal',
    regarding: { kind: 'ConfigMap', name: 'a', namespace: '{ns}' },
    ...fields,
  });

/** A good object of every kind that lives in a namespace, with the path of its collection. */
export const namespacedKinds: {
  kind: string;
  path: typeof configmaps;
  make: (name: string) => JsonObject;
}[] = [
  { kind: 'ConfigMap', path: configmaps, make: (name) => configMap(name) },
  { kind: 'Secret', path: secrets, make: (name) => object(name) },
  { kind: 'LimitRange', path: limitranges, make: (name) => object(name) },
  { kind: 'Endpoints', path: endpoints, make: (name) => object(name) },
  { kind: 'Event', path: coreEvents, make: (name) => coreEvent(name) },
  { kind: 'Event of events.k8s.io', path: events, make: (name) => event(name) },
  { kind: 'ControllerRevision', path: controllerrevisions, make: (name) => revision(name) },
  { kind: 'Lease', path: leases, make: (name) => object(name) },
];
