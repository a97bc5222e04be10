// deployment-controller: the ReplicaSet for the template of a Deployment.
import type { Deployment } from '../../apis/apps/deployment.ts';
import type { Manifest } from '../../client/client.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import { templateHash } from '../workload/template-hash.ts';
import { templateHashLabel } from './same-template.ts';

/** The longest name of an object (a DNS subdomain). */
const maxNameLength = 253;

export interface NewReplicaSet {
  readonly controller: OwnerReference;
  readonly annotations: Readonly<Record<string, string>>;
  readonly replicas: number;
}

/** Its name is derived from the template, so a ReplicaSet is created once. */
export function replicaSetFor(
  { metadata, spec, status }: Deployment,
  { controller, annotations, replicas }: NewReplicaSet,
): Manifest {
  const hash = templateHash(spec.template, status.collisionCount);
  const labels = { ...spec.template.metadata.labels, [templateHashLabel]: hash };
  const matchLabels = { ...spec.selector?.matchLabels, [templateHashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: replicaSetName(metadata.name ?? '', hash),
      namespace: metadata.namespace ?? '',
      labels,
      annotations: { ...annotations },
      ownerReferences: [controller],
    },
    spec: {
      replicas,
      ...(spec.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: { ...spec.selector, matchLabels },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

function replicaSetName(deployment: string, hash: string): string {
  const prefix = deployment.slice(0, maxNameLength - hash.length - 1);
  // A shortened prefix must not end in a character after which no dash may follow.
  return `${prefix.replace(/[-.]+$/, '')}-${hash}`;
}
