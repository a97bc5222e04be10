// Pod Security admission: the pod templates of workload resources.
import type { Pod } from '../../../apis/core/pod.ts';
import type { PodTemplateSpec } from '../../../apis/core/pod-template-spec.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import type { PodParts } from './pod-parts.ts';

type Template = PodTemplateSpec | undefined;
type WithTemplate = { readonly template?: Template; readonly spec?: { readonly template?: Template } };
type WithJobTemplate = {
  readonly spec: { readonly jobTemplate: { readonly spec: { readonly template?: Template } } };
};

const templateInSpec = (object: ApiObject) => (object as WithTemplate).spec?.template;

/** Returns the pod template of a workload object, by `group/resource`. */
const templates: Readonly<Record<string, (object: ApiObject) => Template>> = {
  '/podtemplates': (object) => (object as WithTemplate).template,
  '/replicationcontrollers': templateInSpec,
  'apps/daemonsets': templateInSpec,
  'apps/deployments': templateInSpec,
  'apps/replicasets': templateInSpec,
  'apps/statefulsets': templateInSpec,
  'batch/cronjobs': (object) => (object as unknown as WithJobTemplate).spec.jobTemplate.spec.template,
  'batch/jobs': templateInSpec,
};

/** Returns the function that extracts the pod template; undefined for resources without one. */
export function podTemplateExtractor({
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

/** Whether an update changes containers or their images. Other updates of a pod are not evaluated again, as upstream. */
export function isSignificantPodUpdate({ spec }: Pod, { spec: old }: Pod): boolean {
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).some((list) => {
    const containers = spec[list] ?? [];
    const oldContainers = old[list] ?? [];
    return (
      containers.length !== oldContainers.length ||
      containers.some(({ image }, i) => image !== oldContainers[i]!.image)
    );
  });
}
