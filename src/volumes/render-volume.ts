// Renders configMap, secret, downwardAPI and projected volumes of a pod.
import type { Pod } from '../apis/core/pod.ts';
import type { ServiceAccountTokenProjection, VolumeProjection } from '../apis/core/projected-volume.ts';
import type { Volume } from '../apis/core/volume.ts';
import { addDownwardAPIFiles } from './downward-files.ts';
import { addKeyedFiles } from './keyed-files.ts';
import type { TokenKeeper } from './token-keeper.ts';
import { renderTrustAnchors } from './trust-anchors.ts';
import { type RenderedVolume, VolumeFiles, VolumeProblem } from './volume-files.ts';
import type { VolumeReader } from './volume-reader.ts';

const defaultFileMode = 0o644;
const ownerOnlyFileMode = 0o600;

/** Throws VolumeProblem if the kubelet could not mount the volume. fsGroup ownership is left to the node. */
export async function renderVolume(
  pod: Pod,
  volumeName: string,
  reader: VolumeReader,
  tokens: TokenKeeper,
): Promise<RenderedVolume> {
  const volume = pod.spec.volumes?.find(({ name }) => name === volumeName);
  if (!volume)
    throw new VolumeProblem(`the pod has no volume ${JSON.stringify(volumeName)}${formatVolumeNames(pod)}`);
  const { sources, defaultMode = defaultFileMode } = toProjections(volume);
  const files = new VolumeFiles();
  let refreshAt: number | undefined;
  for (const source of sources) {
    const replaceAt = await addProjection(files, pod, source, defaultMode, reader, tokens);
    if (replaceAt !== undefined) refreshAt = Math.min(refreshAt ?? replaceAt, replaceAt);
  }
  return { files: files.sorted(), refreshAt };
}

interface VolumeSources {
  readonly sources: readonly VolumeProjection[];
  readonly defaultMode?: number | undefined;
}

/** A single-source volume is a projected volume with one source. */
function toProjections({ name, configMap, secret, downwardAPI, projected }: Volume): VolumeSources {
  if (configMap) return { sources: [{ configMap }], defaultMode: configMap.defaultMode };
  if (downwardAPI) return { sources: [{ downwardAPI }], defaultMode: downwardAPI.defaultMode };
  if (projected) return { sources: projected.sources ?? [], defaultMode: projected.defaultMode };
  if (secret) {
    const { secretName = '', defaultMode, ...projection } = secret;
    return { sources: [{ secret: { ...projection, name: secretName } }], defaultMode };
  }
  throw new VolumeProblem(
    `the volume ${JSON.stringify(name)} is not a configMap, secret, downwardAPI or projected volume, so it cannot be rendered`,
  );
}

/**
 * Adds the files of one source. Returns when its service account token must be rotated, in milliseconds since the epoch;
 * undefined for other sources.
 */
async function addProjection(
  files: VolumeFiles,
  pod: Pod,
  { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle }: VolumeProjection,
  defaultMode: number,
  reader: VolumeReader,
  tokens: TokenKeeper,
): Promise<number | undefined> {
  const namespace = pod.metadata.namespace ?? '';
  if (configMap) {
    const { name = '' } = configMap;
    const source = { ...configMap, kind: 'ConfigMap', name, defaultMode } as const;
    addKeyedFiles(files, source, await reader.configMap(namespace, name));
  }
  if (secret) {
    const { name = '' } = secret;
    const source = { ...secret, kind: 'Secret', name, defaultMode } as const;
    addKeyedFiles(files, source, await reader.secret(namespace, name));
  }
  if (downwardAPI) await addDownwardAPIFiles(files, pod, downwardAPI.items ?? [], defaultMode, reader);
  const credentialMode = hasSingleFileOwner(pod) ? ownerOnlyFileMode : defaultMode;
  if (clusterTrustBundle) {
    files.add(clusterTrustBundle.path, credentialMode, await renderTrustAnchors(clusterTrustBundle, reader));
  }
  if (!serviceAccountToken) return undefined;
  const { token, replaceAt } = await tokens.get(tokenRequestFor(pod, serviceAccountToken));
  files.add(serviceAccountToken.path, credentialMode, token);
  return replaceAt;
}

function tokenRequestFor(
  { metadata, spec }: Pod,
  { audience = '', expirationSeconds = 3600 }: ServiceAccountTokenProjection,
) {
  return {
    namespace: metadata.namespace ?? '',
    account: spec.serviceAccountName || 'default',
    audience,
    expirationSeconds: Number(expirationSeconds),
    pod: { name: metadata.name ?? '', uid: metadata.uid ?? '' },
  };
}

/** The kubelet gives the files of such pods to the fsGroup or the only runAsUser, with mode 0600. */
function hasSingleFileOwner({ spec }: Pod): boolean {
  if (spec.securityContext?.fsGroup !== undefined) return true;
  const users = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(
      ({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
    ),
  );
  return users.size === 1 && !users.has(undefined);
}

function formatVolumeNames({ spec }: Pod): string {
  const names = (spec.volumes ?? []).map(({ name }) => name);
  return names.length > 0 ? ` (it has ${names.join(', ')})` : '';
}
