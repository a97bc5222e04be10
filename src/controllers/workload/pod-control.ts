// Pod control: creates pods from a template and deletes them, with Events about the owner (upstream: RealPodControl).
import type { Pod } from '../../apis/core/pod.ts';
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import type { Client, Manifest } from '../../client/client.ts';
import { ApiError } from '../../errors/status.ts';
import type { ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import type { User } from '../../request/user.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import type { ControllerIdentity } from '../runtime/controller.ts';
import type { OwnerEvents } from './owner-events.ts';

export interface PodControlDependencies {
  readonly client: Client;
  readonly identity: ControllerIdentity;
  readonly events: OwnerEvents;
  /** Aborted when the controller stops. */
  readonly signal: AbortSignal;
}

export class PodControl {
  readonly #client: Client;
  readonly #identity: ControllerIdentity;
  readonly #events: OwnerEvents;
  readonly #signal: AbortSignal;

  constructor({ client, identity, events, signal }: PodControlDependencies) {
    this.#client = client;
    this.#identity = identity;
    this.#events = events;
    this.#signal = signal;
  }

  /** Creates a pod (see podFromTemplate). Throws if that fails; there is no Event if the namespace is terminating. */
  async create(owner: ObjectMetadata, pod: Manifest): Promise<void> {
    try {
      const { metadata } = await this.#client.create(pod, this.#identity);
      this.#events.record(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata.name}`);
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        this.#events.record(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /** Returns false if the pod is gone already. */
  async delete(owner: ObjectMetadata, pod: Pod): Promise<boolean> {
    const caller = { user: this.#identity.user, signal: this.#signal };
    try {
      if (!(await deletePod(this.#client, pod, caller))) return false;
    } catch (error) {
      this.#events.record(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
    }
    this.#events.record(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    return true;
  }
}

/** Deletes a pod if it is still the same one. Returns false if it is gone already. */
export async function deletePod(
  client: Client,
  { metadata }: Pod,
  caller: { readonly user: User; readonly signal: AbortSignal },
): Promise<boolean> {
  const { name = '', namespace = '', uid = '' } = metadata;
  try {
    await client.delete(
      { apiVersion: 'v1', kind: 'Pod', name, namespace },
      { preconditions: { uid } },
      caller,
    );
    return true;
  } catch (error) {
    // 409: another pod has the name by now.
    if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return false;
    throw error;
  }
}

/** A pod with labels, annotations, finalizers and spec of a template, and a generated name. */
export function podFromTemplate(
  owner: ObjectMetadata,
  controller: OwnerReference,
  { metadata, spec }: PodTemplateSpec,
): Manifest {
  const { labels, annotations, finalizers } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: podNamePrefix(owner.name ?? ''),
      namespace: owner.namespace ?? '',
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controller],
    },
    spec,
  };
}

/** Without the dash if the name is too long for it. */
function podNamePrefix(ownerName: string): string {
  const prefix = `${ownerName}-`;
  return nameIsSubdomain(prefix, true).length === 0 ? prefix : ownerName;
}

export function isNamespaceTerminating(error: unknown): boolean {
  const causes = error instanceof ApiError ? (error.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === 'NamespaceTerminating');
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
