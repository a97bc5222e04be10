// ServiceAccount admission: the projected volume with the token of the service account.
import type { Container } from '../../../apis/core/container.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import type { Volume } from '../../../apis/core/volume.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { generateName } from '../../../registry/write/prepare.ts';

/** Not a full hour: the odd value distinguishes tokens that admission injects from tokens that the pod requests. */
const expirationSeconds = 60 * 60 + 7;

/** Mounts the token into every container that has nothing mounted at its path, and adds the volume unless it exists. */
export function mountToken(spec: PodSpec, { tokenVolume }: Dialect): void {
  const missing = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(
    ({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === tokenVolume.mountPath),
  );
  if (missing.length === 0) return;
  const volumes = spec.volumes ?? [];
  const existing = volumes.find(({ name }) => name.startsWith(tokenVolume.namePrefix));
  const name = existing?.name ?? generateName(tokenVolume.namePrefix);
  for (const container of missing) mount(container, name, tokenVolume.mountPath);
  if (!existing) spec.volumes = [...volumes, projectedVolume(name, tokenVolume.caConfigMap)];
}

function mount(container: Container, name: string, mountPath: string): void {
  container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
}

const projectedVolume = (name: string, caConfigMap: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds, path: 'token' } },
      { configMap: { name: caConfigMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 0o644,
  },
});
