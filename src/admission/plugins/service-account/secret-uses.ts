// ServiceAccount admission: the secrets and service account tokens that a pod refers to.
import type { Container, EphemeralContainer } from '../../../apis/core/container.ts';
import type { Pod } from '../../../apis/core/pod.ts';

/** A secret in a container's env (one variable) or envFrom (all keys). */
interface SecretUse {
  readonly secret: string;
  /** Absent for envFrom. */
  readonly variable?: string;
}

export function secretUsesOf({
  env = [],
  envFrom = [],
}: Pick<Container | EphemeralContainer, 'env' | 'envFrom'>): SecretUse[] {
  const uses: SecretUse[] = [];
  for (const { name, valueFrom } of env) {
    const { secretKeyRef } = valueFrom ?? {};
    if (secretKeyRef) uses.push({ secret: secretKeyRef.name ?? '', variable: name });
  }
  for (const { secretRef } of envFrom) {
    if (secretRef) uses.push({ secret: secretRef.name ?? '' });
  }
  return uses;
}

/** The fields of volume sources that name a secret. */
const secretFields = ['secretName', 'secretRef', 'nodePublishSecretRef'];

export function usesSecrets({ spec }: Pod): boolean {
  const { imagePullSecrets = [], initContainers = [], containers = [], volumes = [] } = spec;
  return (
    imagePullSecrets.length > 0 ||
    [...initContainers, ...containers].some((container) => secretUsesOf(container).length > 0) ||
    volumes.some((volume) => Object.values(volume).some(namesSecret)) ||
    volumes.some(({ projected }) => projected?.sources?.some(({ secret }) => secret))
  );
}

function namesSecret(source: unknown): boolean {
  return typeof source === 'object' && source !== null && secretFields.some((field) => field in source);
}

/** Whether the pod mounts a projected service account token. */
export function usesTokens({ spec: { volumes = [] } }: Pod): boolean {
  return volumes.some(({ projected }) => projected?.sources?.some((source) => source.serviceAccountToken));
}
