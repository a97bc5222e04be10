// Admission plugin ServiceAccount: assigns a service account to pods, with its token volume and image pull secrets.
import type { Pod } from '../../../apis/core/pod.ts';
import type { ServiceAccount as Account } from '../../../apis/core/serviceaccount.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { ApiError } from '../../../errors/status.ts';
import { tryDecodeLazily } from '../../../kind/storage/codec.ts';
import type { StorageContext } from '../../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { StoredObject } from '../../../store/store.ts';
import type { Attributes } from '../../attributes.ts';
import { newForbidden } from '../../new-forbidden.ts';
import type { Plugin } from '../../plugin.ts';
import { MountableSecrets } from './mountable-secrets.ts';
import { usesSecrets, usesTokens } from './secret-uses.ts';
import { mountToken } from './token-volume.ts';

/** The service account of pods that name none. */
const defaultAccount = 'default';
/** How long a pod waits for a missing service account, which the controller creates in a new namespace. */
const accountTimeoutMs = 1000;

export class ServiceAccount implements Plugin<Pod> {
  readonly name = 'ServiceAccount';
  readonly #api: StorageContext;

  constructor(api: StorageContext) {
    this.#api = api;
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'pods') return false;
    return subresource === '' ? operation === 'CREATE' : subresource === 'ephemeralcontainers';
  }

  async admit(attributes: Attributes<Pod>): Promise<void> {
    const { object: pod, oldObject } = attributes;
    const { dialect } = this.#api;
    if (oldObject) return this.#admitEphemeralContainers(attributes, pod, oldObject);
    if (isMirrorPod(pod, dialect)) {
      const problem = mirrorPodProblem(pod);
      if (problem !== undefined) throw newForbidden(attributes, problem);
      return;
    }
    const { spec } = pod;
    if (!spec.serviceAccountName) spec.serviceAccountName = spec.serviceAccount = defaultAccount;
    // Read synchronously first: most service accounts exist.
    const existing = this.#find(attributes.namespace, spec.serviceAccountName);
    const account = existing ?? (await this.#findOrWait(attributes, spec.serviceAccountName));
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) {
      mountToken(spec, dialect);
    }
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
      spec.imagePullSecrets = account.imagePullSecrets.map(({ name = '' }) => ({ name }));
    }
    const problem = MountableSecrets.of(account, dialect)?.problem(pod);
    if (problem !== undefined) throw newForbidden(attributes, problem);
  }

  /** An update of the subresource ephemeralcontainers: the service account is that of the stored pod. */
  async #admitEphemeralContainers(attributes: Attributes, pod: Pod, oldPod: Pod): Promise<void> {
    const { dialect } = this.#api;
    if (isMirrorPod(oldPod, dialect)) return;
    const account = await this.#findOrWait(attributes, oldPod.spec.serviceAccountName ?? '');
    const problem = MountableSecrets.of(account, dialect)?.problemOfEphemeralContainers(pod);
    // Upstream returns this error without a reason.
    if (problem !== undefined) throw new ApiError(500, '', problem);
  }

  #find(namespace: string, name: string): Account | undefined {
    const resource = this.#api.registry.kind('', 'v1', 'serviceaccounts');
    const stored = this.#api.store.get(resource.key(namespace, name));
    return stored && (tryDecodeLazily(resource, stored) as Account | undefined);
  }

  /** Waits for a missing service account. Throws the rejection after the timeout. */
  async #findOrWait(attributes: Attributes, name: string): Promise<Account> {
    const { namespace } = attributes;
    const find = () => this.#find(namespace, name);
    const account = find() ?? (await waitFor(this.#api, `serviceaccounts/${namespace}/${name}`, find));
    if (account) return account;
    throw newForbidden(
      attributes,
      `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
    );
  }
}

/** Waits for a write of `key`, then calls `find`. Undefined after the timeout. */
function waitFor<Found>(
  { store, clock }: Pick<StorageContext, 'store' | 'clock'>,
  key: string,
  find: () => Found | undefined,
): Promise<Found | undefined> {
  return new Promise((resolve) => {
    const isAwaited = ({ object }: { readonly object: StoredObject }) => object.key === key;
    const end = () => {
      unsubscribe();
      cancelTimer();
      resolve(find());
    };
    const unsubscribe = store.subscribe((changes) => {
      if (changes.some(isAwaited)) end();
    });
    const cancelTimer = clock.after(accountTimeoutMs, end);
  });
}

const isMirrorPod = ({ metadata }: Pod, { annotations }: Dialect) =>
  metadata.annotations?.[annotations.mirrorPod] !== undefined;

/** A mirror pod represents a static pod of the kubelet, which has no identity. */
function mirrorPodProblem(pod: Pod): string | undefined {
  if (pod.spec.serviceAccountName) return 'a mirror pod may not reference service accounts';
  if (usesSecrets(pod)) return 'a mirror pod may not reference secrets';
  if (usesTokens(pod)) return 'a mirror pod may not use ServiceAccountToken volume projections';
  return undefined;
}
