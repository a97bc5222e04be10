import { type JsonObject, post, type Step } from '../case.ts';
import { object, paths } from './objects.ts';

export const podtemplates = paths('/api/v1/namespaces/{ns}/podtemplates');
export const pods = paths('/api/v1/namespaces/{ns}/pods');
export const serviceaccounts = paths('/api/v1/namespaces/{ns}/serviceaccounts');

/** A container that is good unless the fields say otherwise. */
export const container = (fields: JsonObject = {}): JsonObject => ({ name: 'c', image: 'i:1', ...fields });

/** A spec that is good unless the fields say otherwise. */
export const podSpec = (fields: JsonObject = {}): JsonObject => ({ containers: [container()], ...fields });

/** What the rules say of a spec, asked on a template: no admission has a part in that. */
export const template = (fields: JsonObject, metadata: JsonObject = {}): Step =>
  post(podtemplates('?dryRun=All'), object('t', { template: { metadata, spec: podSpec(fields) } }));

/** The same of the fields of one container. */
export const templateWith = (fields: JsonObject, others: JsonObject = {}): Step =>
  template({ containers: [container(fields)], ...others });

/** A good pod with nothing left for admission to add. */
export const quietSpec = (fields: JsonObject = {}): JsonObject => ({
  ...podSpec(),
  automountServiceAccountToken: false,
  serviceAccountName: 'default',
  priority: 0,
  preemptionPolicy: 'PreemptLowerPriority',
  tolerations: ['not-ready', 'unreachable'].map((condition) => ({
    key: `node.kubernetes.io/${condition}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  })),
  ...fields,
});

export const pod = (name: string, fields: JsonObject = {}, metadata: JsonObject = {}): JsonObject =>
  object(name, { spec: quietSpec(fields) }, metadata);

/** Pods need the ServiceAccount that they act as, and no controller makes it here. */
export const withAccount: Step = post(serviceaccounts(), object('default'));
