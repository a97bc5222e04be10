import type { Container, EphemeralContainer } from '../../../apis/core/container.ts';
import type { Pod } from '../../../apis/core/pod.ts';

/** A secret that a container takes variables from: a single one, or all its keys. */
export interface SecretUse {
  readonly secret: string;
  /** The single variable. */
  readonly variable?: string;
}

export function secretsOf({
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

/** What the sources of volumes call the secret that they need. */
const fields = ['secretName', 'secretRef', 'nodePublishSecretRef'];

/** Whether a pod needs any secret. */
export function usesSecrets({ spec }: Pod): boolean {
  const { imagePullSecrets = [], initContainers = [], containers = [], volumes = [] } = spec;
  return (
    imagePullSecrets.length > 0 ||
    [...initContainers, ...containers].some((container) => secretsOf(container).length > 0) ||
    volumes.some((volume) => Object.values(volume).some(namesSecret)) ||
    volumes.some(({ projected }) => projected?.sources?.some(({ secret }) => secret))
  );
}

function namesSecret(source: unknown): boolean {
  return typeof source === 'object' && source !== null && fields.some((field) => field in source);
}

/** Whether it asks for a token itself. */
export function usesTokens({ spec: { volumes = [] } }: Pod): boolean {
  return volumes.some(({ projected }) => projected?.sources?.some((source) => source.serviceAccountToken));
}
