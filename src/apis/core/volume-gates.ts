// Volume: drops volume sources of disabled feature gates.
import type { Features } from '../../kind/features/features.ts';
import type { PodSpec } from './pod-spec.ts';

/** Drops volume sources of disabled features, unless the old pod uses them. */
export function dropDisabledVolumes(spec: PodSpec, old: PodSpec | undefined, features: Features): void {
  if (!features.enabled('ImageVolume') && !hasImages(old)) dropImages(spec);
  if (
    !features.enabled('ClusterTrustBundleProjection') &&
    !projectionsOf(old).some((each) => each.clusterTrustBundle)
  ) {
    for (const projection of projectionsOf(spec)) delete projection.clusterTrustBundle;
  }
}

function hasImages(spec: PodSpec | undefined): boolean {
  return (spec?.volumes ?? []).some(({ image }) => image !== undefined);
}

/** Drops image volumes together with their mounts. */
function dropImages(spec: PodSpec): void {
  if (!hasImages(spec)) return;
  const dropped = new Set(spec.volumes!.filter(({ image }) => image).map(({ name }) => name));
  spec.volumes = spec.volumes!.filter(({ image }) => !image);
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  for (const container of [...initContainers, ...containers, ...ephemeralContainers]) {
    if (container.volumeMounts) {
      container.volumeMounts = container.volumeMounts.filter(({ name }) => !dropped.has(name));
    }
  }
}

function projectionsOf(spec: PodSpec | undefined) {
  return (spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
}
