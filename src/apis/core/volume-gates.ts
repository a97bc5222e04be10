// Volume: drops sources whose feature gate is off, before a pod or pod template is validated.
import type { Features } from '../../kind/features/features.ts';
import type { PodSpec } from './pod-spec.ts';

/** Drops volume sources of disabled features, unless the old spec uses them. */
export function dropDisabledVolumes(spec: PodSpec, old: PodSpec | undefined, features: Features): void {
  if (!features.enabled('ImageVolume') && !hasImageVolumes(old)) dropImageVolumes(spec);
  const hadTrustBundles = collectProjections(old).some(({ clusterTrustBundle }) => clusterTrustBundle);
  if (!features.enabled('ClusterTrustBundleProjection') && !hadTrustBundles) {
    for (const projection of collectProjections(spec)) delete projection.clusterTrustBundle;
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

function collectProjections(spec: PodSpec | undefined) {
  return (spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
}
