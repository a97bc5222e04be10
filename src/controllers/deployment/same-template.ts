// deployment-controller: templates and their label pod-template-hash, which distinguishes the ReplicaSets of a Deployment and their pods.
import { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';

export const templateHashLabel = 'pod-template-hash';

/** Whether two templates are equal apart from the hash label. */
export function isSameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return isSemanticallyEqual(PodTemplateSpec, withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { labels } = template.metadata;
  if (labels?.[templateHashLabel] === undefined) return template;
  const { [templateHashLabel]: _, ...others } = labels;
  return { ...template, metadata: { ...template.metadata, labels: others } };
}
