import type { JsonObject } from '../case.ts';
import { object, paths } from './objects.ts';

export const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
export const replicasets = paths('/apis/apps/v1/namespaces/{ns}/replicasets');
export const statefulsets = paths('/apis/apps/v1/namespaces/{ns}/statefulsets');
export const daemonsets = paths('/apis/apps/v1/namespaces/{ns}/daemonsets');
export const jobs = paths('/apis/batch/v1/namespaces/{ns}/jobs');
export const cronjobs = paths('/apis/batch/v1/namespaces/{ns}/cronjobs');
export const autoscalers = paths('/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers');
export const autoscalersV1 = paths('/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers');
export const budgets = paths('/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets');
export const controllers = paths('/api/v1/namespaces/{ns}/replicationcontrollers');

export const labels = { app: 'a' };
export const selector = { matchLabels: labels };

/** A template of pods with one container; its labels are those that `selector` selects. */
export function template(spec: JsonObject = {}, metadata: JsonObject = { labels }): JsonObject {
  return { metadata, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

/** A template of pods that end, as jobs need it. */
export const endingTemplate = (spec: JsonObject = {}, metadata?: JsonObject): JsonObject =>
  template({ restartPolicy: 'Never', ...spec }, metadata);

/** A set of pods by selector and template: any workload kind. */
export function workload(spec: JsonObject = {}, name = 'a', metadata: JsonObject = {}): JsonObject {
  return object(name, { spec: { selector, template: template(), ...spec } }, metadata);
}

/** A template of pods that are allowed but hardly meant. */
export const doubtfulTemplate = template({
  containers: [{ name: 'c', image: 'i', env: [{ name: 'A' }, { name: 'A' }] }],
  nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
});

/** Selectors that are refused wherever pods are selected. */
export const badSelectors: JsonObject[] = [
  {},
  { matchLabels: { 'b b': 'c' } },
  { matchLabels: { a: 'c c' } },
  { matchLabels: { other: 'x' } },
  { matchExpressions: [{ key: 'app', operator: 'In' }] },
  { matchExpressions: [{ key: 'app', operator: 'In', values: [] }] },
  { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['x'] }] },
  { matchExpressions: [{ key: 'app', operator: 'Nope', values: ['x'] }] },
  { matchExpressions: [{ key: '', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a', 'x x'] }] },
  { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a'] }] },
];
