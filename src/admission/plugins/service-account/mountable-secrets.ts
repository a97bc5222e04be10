// ServiceAccount admission: the annotation enforce-mountable-secrets limits pods to the secrets of their service account.
import type { Pod } from '../../../apis/core/pod.ts';
import type { ServiceAccount } from '../../../apis/core/serviceaccount.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { secretUsesOf } from './secret-uses.ts';

/** The values that Go's strconv.ParseBool reads as true. */
const trueValues = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** The secrets that the pods of one service account may use. */
export class MountableSecrets {
  readonly #account: string;
  readonly #secrets: ReadonlySet<string>;
  readonly #pullSecrets: ReadonlySet<string>;

  private constructor({ metadata, secrets = [], imagePullSecrets = [] }: ServiceAccount) {
    this.#account = metadata.name!;
    this.#secrets = new Set(secrets.map(({ name = '' }) => name));
    this.#pullSecrets = new Set(imagePullSecrets.map(({ name = '' }) => name));
  }

  /** Undefined where the service account does not limit its pods. */
  static of(account: ServiceAccount, { annotations }: Dialect): MountableSecrets | undefined {
    const value = account.metadata.annotations?.[annotations.enforceMountableSecrets];
    return value !== undefined && trueValues.has(value) ? new MountableSecrets(account) : undefined;
  }

  /** The message for the first secret that the pod may not use; undefined if it may use all of them. */
  problem({ spec }: Pod): string | undefined {
    for (const { secret } of spec.volumes ?? []) {
      if (secret && !this.#secrets.has(secret.secretName ?? '')) {
        return this.#notAllowed(`volume with secret.secretName=${quote(secret.secretName)}`);
      }
    }
    for (const [kind, containers] of [
      ['init container', spec.initContainers ?? []],
      ['container', spec.containers ?? []],
    ] as const) {
      const problem = this.#problemOfContainers(kind, containers);
      if (problem !== undefined) return problem;
    }
    for (const [i, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
      if (this.#pullSecrets.has(name)) continue;
      return this.#notAllowed(`imagePullSecrets[${i}].name=${quote(name)}`, 'imagePullSecret');
    }
    return undefined;
  }

  /** The same for the ephemeral containers of a pod. */
  problemOfEphemeralContainers({ spec }: Pod): string | undefined {
    return this.#problemOfContainers('ephemeral container', spec.ephemeralContainers ?? []);
  }

  #problemOfContainers(
    kind: string,
    containers: readonly (Parameters<typeof secretUsesOf>[0] & { name: string })[],
  ): string | undefined {
    for (const container of containers) {
      for (const { secret, variable } of secretUsesOf(container)) {
        if (this.#secrets.has(secret)) continue;
        const source = variable === undefined ? 'envFrom' : `envVar ${variable}`;
        return this.#notAllowed(
          `${kind} ${container.name} with ${source} referencing secret.secretName=${quote(secret)}`,
        );
      }
    }
    return undefined;
  }

  #notAllowed(reference: string, kind = 'secret'): string {
    return `${reference} is not allowed because service account ${this.#account} does not reference that ${kind}`;
  }
}

const quote = (name = '') => JSON.stringify(name);
