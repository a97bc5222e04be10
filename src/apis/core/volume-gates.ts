// Volume: drops volume sources of disabled feature gates.
import type { Features } from '../../kind/features/features.ts';
import type { PodSpec } from './pod-spec.ts';

/** Drops volume sources of disabled features, unless the old spec uses them. */
export function dropDisabledVolumes(spec: PodSpec, old: PodSpec | undefined, features: Features): void {
  if (!features.enabled('ImageVolume') && !hasImageVolumes(old)) dropImageVolumes(spec);
  if (
    !features.enabled('ClusterTrustBundleProjection') &&
    !projectionsOf(old).some((each) => each.clusterTrustBundle)
  ) {
    for (const projection of projectionsOf(spec)) delete projection.clusterTrustBundle;
  }
}

function hasImageVolumes(spec: PodSpec | undefined): boolean {
  return (spec?.volumes ?? []).some(({ image }) => image !== undefined);
}

/** Drops image volumes together with their mounts. */
function dropImageVolumes(spec: PodSpec): void {
  if (!hasImageVolumes(spec)) return;
  const droppedVolumes = new Set(spec.volumes!.filter(({ image }) => image).map(({ name }) => name));
  spec.volumes = spec.volumes!.filter(({ image }) => !image);
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  for (const container of [...initContainers, ...containers, ...ephemeralContainers]) {
    if (container.volumeMounts) {
      container.volumeMounts = container.volumeMounts.filter(({ name }) => !droppedVolumes.has(name));
    }
  }
}

function projectionsOf(spec: PodSpec | undefined) {
  return (spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
}
