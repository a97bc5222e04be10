import type { Container } from '../../../apis/core/container.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import type { Volume } from '../../../apis/core/volume.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { generateName } from '../../../registry/write/generate-name.ts';

/** A little more than an hour: by that the server knows that the pod has not asked for it itself. */
const expirationSeconds = 60 * 60 + 7;

/** Gives every container a token of the pod's account, where it looks for one, unless something is mounted there. */
export function mountToken(spec: PodSpec, { tokenVolume }: Dialect): void {
  const without = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(
    ({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === tokenVolume.path),
  );
  if (without.length === 0) return;
  const volumes = spec.volumes ?? [];
  const known = volumes.find(({ name }) => name.startsWith(tokenVolume.prefix));
  const name = known?.name ?? generateName(tokenVolume.prefix);
  for (const container of without) mount(container, name, tokenVolume.path);
  if (!known) spec.volumes = [...volumes, volume(name, tokenVolume.authorities)];
}

function mount(container: Container, name: string, mountPath: string): void {
  container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
}

const volume = (name: string, authorities: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds, path: 'token' } },
      { configMap: { name: authorities, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 0o644,
  },
});
