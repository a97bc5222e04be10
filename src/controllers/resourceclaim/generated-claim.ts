// The ResourceClaim that is generated from a ResourceClaimTemplate for one entry in the `resourceClaims` of a pod.
import type { Pod } from '../../apis/core/pod.ts';
import type { ResourceClaimTemplate } from '../../apis/resource/resourceclaimtemplate.ts';
import type { Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';

/** A name has at most 63 characters, of which generation needs five. */
const maxPrefixLength = 57;

/** `<pod>-<entry>-`. Long names are cut in proportion to their lengths, so that both can be recognized. */
export function claimNamePrefix(podName: string, entry: string): string {
  const full = `${podName}-${entry}-`;
  if (full.length <= maxPrefixLength) return full;
  const cut = (name: string) => name.slice(0, Math.trunc((name.length * maxPrefixLength) / full.length));
  return `${cut(podName)}-${cut(entry)}`;
}

/** Spec, labels and annotations of the template, owned by the pod. */
export function generatedClaim(
  { metadata }: Pod,
  entry: string,
  { spec }: ResourceClaimTemplate,
  dialect: Dialect,
): Manifest {
  const { labels, annotations } = spec.metadata ?? {};
  const owner = {
    apiVersion: 'v1',
    kind: 'Pod',
    name: metadata.name!,
    uid: metadata.uid!,
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    apiVersion: dialect.apiVersion('resource', 'v1beta1'),
    kind: 'ResourceClaim',
    metadata: {
      generateName: claimNamePrefix(metadata.name!, entry),
      namespace: metadata.namespace!,
      ...(labels && { labels }),
      annotations: { ...annotations, [dialect.annotations.podClaimName]: entry },
      ownerReferences: [owner],
    },
    spec: spec.spec,
  } as Manifest;
}
