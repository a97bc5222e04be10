import type { Pod } from '../../../apis/core/pod.ts';
import type { ServiceAccount as Account } from '../../../apis/core/serviceaccount.ts';
import { ApiError } from '../../../errors/status.ts';
import { tryGlanceAt } from '../../../kind/storage/codec.ts';
import type { Api } from '../../../registry/api.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { StoredObject } from '../../../store/store.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { refusal } from '../../refusal.ts';
import { MountableSecrets } from './mountable-secrets.ts';
import { usesSecrets, usesTokens } from './secret-uses.ts';
import { mountToken } from './token-volume.ts';

/** The account of pods that name none. */
const usual = 'default';
/** How long an account that is not there yet is waited for, in milliseconds: that of a new namespace is on its way. */
const patience = 1000;

/** Makes pods act as a service account: gives them its token, and what their images are pulled with. */
export class ServiceAccount implements Plugin {
  readonly name = 'ServiceAccount';
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'pods') return false;
    return subresource === '' ? operation === 'CREATE' : subresource === 'ephemeralcontainers';
  }

  async admit(attributes: Attributes): Promise<void> {
    const pod = attributes.object as Pod;
    const { dialect } = this.#api;
    if (attributes.target.subresource !== '') {
      const { metadata, spec } = attributes.old as Pod;
      if (metadata.annotations?.[dialect.annotations.mirrorPod] !== undefined) return;
      const account = await this.#account(attributes, spec.serviceAccountName ?? '');
      const problem = MountableSecrets.of(account, dialect)?.problemOfEphemeral(pod);
      // The reference gives this one no reason.
      if (problem !== undefined) throw new ApiError(500, '', problem);
      return;
    }
    if (pod.metadata.annotations?.[dialect.annotations.mirrorPod] !== undefined) {
      refuseIdentity(attributes, pod);
      return;
    }
    const { spec } = pod;
    if (!spec.serviceAccountName) spec.serviceAccountName = spec.serviceAccount = usual;
    const found = this.#find(attributes.namespace, spec.serviceAccountName);
    const account = found ?? (await this.#account(attributes, spec.serviceAccountName));
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) {
      mountToken(spec, dialect);
    }
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
      spec.imagePullSecrets = account.imagePullSecrets.map(({ name = '' }) => ({ name }));
    }
    const problem = MountableSecrets.of(account, dialect)?.problem(pod);
    if (problem !== undefined) throw refusal(attributes, problem);
  }

  #find(namespace: string, name: string): Account | undefined {
    const resource = this.#api.registry.kind('', 'v1', 'serviceaccounts');
    const stored = this.#api.store.get(resource.key(namespace, name));
    return stored && (tryGlanceAt(resource, stored) as Account | undefined);
  }

  async #account(attributes: Attributes, name: string): Promise<Account> {
    const { namespace } = attributes;
    const find = () => this.#find(namespace, name);
    const account = find() ?? (await appears(this.#api, `serviceaccounts/${namespace}/${name}`, find));
    if (account) return account;
    throw refusal(
      attributes,
      `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
    );
  }
}

/** What `find` finds once something has been written under a key; undefined if that takes too long. */
function appears<Found>(
  { store, clock }: Pick<Api, 'store' | 'clock'>,
  key: string,
  find: () => Found | undefined,
): Promise<Found | undefined> {
  return new Promise((resolve) => {
    const isIt = ({ object }: { readonly object: StoredObject }) => object.key === key;
    const end = () => {
      unsubscribe();
      callOff();
      resolve(find());
    };
    const unsubscribe = store.subscribe((changes) => {
      if (changes.some(isIt)) end();
    });
    const callOff = clock.after(patience, end);
  });
}

/** A pod that a node runs by itself is nobody. */
function refuseIdentity(attributes: Attributes, pod: Pod): void {
  const why = pod.spec.serviceAccountName
    ? 'reference service accounts'
    : usesSecrets(pod)
      ? 'reference secrets'
      : usesTokens(pod)
        ? 'use ServiceAccountToken volume projections'
        : undefined;
  if (why !== undefined) throw refusal(attributes, `a mirror pod may not ${why}`);
}
