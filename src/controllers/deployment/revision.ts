// deployment-controller: the annotations of ReplicaSets, with the revision of their template and its history.
import type { Deployment } from '../../apis/apps/deployment.ts';
import type { ReplicaSet } from '../../apis/apps/replicaset.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ReplicaLimits } from './replica-limits.ts';

type Annotations = Readonly<Record<string, string>>;

/** Older revisions than fit into this are dropped from the history. */
const maxHistoryChars = 2000;
/** Where clients of the removed API extensions/v1beta1 request a rollback. */
const rollbackAnnotation = 'deprecated.deployment.rollback.to';

const integerPattern = /^[+-]?[0-9]+$/;

/** The value of an annotation that is an integer; undefined if it is absent or something else. */
export function integerAnnotation({ metadata }: ReplicaSet, name: string): number | undefined {
  const text = metadata.annotations?.[name] ?? '';
  return integerPattern.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** The revision that the new ReplicaSet gets: one more than those of all others. */
export function nextRevision(oldSets: readonly ReplicaSet[], { annotations }: Dialect): number {
  return (
    1 + Math.max(0, ...oldSets.map((set) => integerAnnotation(set, annotations.deploymentRevision) ?? 0))
  );
}

/**
 * The annotations of the new ReplicaSet: those of the Deployment, and its revision. If it was an old one, which a rollback made the
 * new one, its revision moves to the history.
 */
export function newSetAnnotations(
  { metadata }: Deployment,
  current: Annotations,
  revision: number,
  { annotations: names }: Dialect,
): Annotations {
  const { deploymentRevision, deploymentRevisionHistory } = names;
  const notCopied = new Set([
    names.lastAppliedConfiguration,
    deploymentRevision,
    deploymentRevisionHistory,
    names.deploymentDesiredReplicas,
    names.deploymentMaxReplicas,
    rollbackAnnotation,
  ]);
  const copied = Object.entries(metadata.annotations ?? {}).filter(([name]) => !notCopied.has(name));
  const annotations: Record<string, string> = { ...current, ...Object.fromEntries(copied) };
  const oldRevision = current[deploymentRevision];
  if (oldRevision !== undefined && oldRevision !== '' && !integerPattern.test(oldRevision))
    return annotations;
  if (oldRevision !== undefined && Number(oldRevision) >= revision) return annotations;
  annotations[deploymentRevision] = String(revision);
  if (oldRevision !== undefined)
    annotations[deploymentRevisionHistory] = history(current[deploymentRevisionHistory] ?? '', oldRevision);
  return annotations;
}

function history(revisions: string, added: string): string {
  let text = revisions === '' ? added : `${revisions},${added}`;
  while (text.length > maxHistoryChars) text = text.slice(text.indexOf(',') + 1);
  return text;
}

/** The annotations about the last scaling. */
export function scalingAnnotations(
  { replicas, maxSurge }: ReplicaLimits,
  { annotations }: Dialect,
): Annotations {
  return {
    [annotations.deploymentDesiredReplicas]: String(replicas),
    [annotations.deploymentMaxReplicas]: String(replicas + maxSurge),
  };
}

/** Whether an object has all these annotations. */
export const hasAnnotations = (current: Annotations = {}, expected: Annotations) =>
  Object.entries(expected).every(([name, value]) => current[name] === value);
