// ControllerRevision: the pod template in its data, which is a strategic merge patch that restores the template of the owner.
import type { ControllerRevision } from '../../apis/apps/controllerrevision.ts';
import { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';

interface RevisionData {
  readonly spec?: { readonly template?: PodTemplateSpec & { readonly $patch?: 'replace' } };
}

export function dataOfTemplate(template: PodTemplateSpec): RevisionData {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** Undefined if the data is not that of a StatefulSet or DaemonSet. */
export function templateOfRevision({ data }: Pick<ControllerRevision, 'data'>): PodTemplateSpec | undefined {
  const template = (data as RevisionData | undefined)?.spec?.template;
  if (!template) return undefined;
  const { $patch: _, ...rest } = template;
  return rest;
}

export function hasTemplate(revision: Pick<ControllerRevision, 'data'>, template: PodTemplateSpec): boolean {
  const ownTemplate = templateOfRevision(revision);
  return ownTemplate !== undefined && isSemanticallyEqual(PodTemplateSpec, ownTemplate, template);
}

/** Oldest first. */
export function compareRevisions(a: ControllerRevision, b: ControllerRevision): number {
  if (a.revision !== b.revision) return a.revision - b.revision;
  const [timeA, timeB] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (timeA !== timeB) return timeA < timeB ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
