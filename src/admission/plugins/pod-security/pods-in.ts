// Pod Security admission: the pod templates of workload resources.
import type { Pod } from '../../../apis/core/pod.ts';
import type { PodTemplateSpec } from '../../../apis/core/pod-template-spec.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import type { PodParts } from './pod-parts.ts';

type Template = PodTemplateSpec | undefined;
type Templated = { readonly template?: Template; readonly spec?: { readonly template?: Template } };
type Scheduled = {
  readonly spec: { readonly jobTemplate: { readonly spec: { readonly template?: Template } } };
};

const inSpec = (object: ApiObject) => (object as Templated).spec?.template;

/** Where the kinds that make pods keep what these are like, by group and resource. */
const templates: Readonly<Record<string, (object: ApiObject) => Template>> = {
  '/podtemplates': (object) => (object as Templated).template,
  '/replicationcontrollers': inSpec,
  'apps/daemonsets': inSpec,
  'apps/deployments': inSpec,
  'apps/replicasets': inSpec,
  'apps/statefulsets': inSpec,
  'batch/cronjobs': (object) => (object as unknown as Scheduled).spec.jobTemplate.spec.template,
  'batch/jobs': inSpec,
};

/** Finds the pod in what makes pods; undefined for a resource that makes none. */
export function podIn({
  group,
  definition,
}: ServedResource): ((object: ApiObject) => PodParts | undefined) | undefined {
  const templateIn = templates[`${group}/${definition.plural}`];
  if (!templateIn) return undefined;
  return (object) => {
    const template = templateIn(object);
    return template && { annotations: template.metadata?.annotations ?? {}, spec: template.spec };
  };
}

/** Whether a change of a pod is one of what it runs: most changes are not, and need not be looked at. */
export function hasOtherContainers({ spec }: Pod, { spec: old }: Pod): boolean {
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).some((part) => {
    const now = spec[part] ?? [];
    const before = old[part] ?? [];
    return now.length !== before.length || now.some(({ image }, i) => image !== before[i]!.image);
  });
}
