// Indexes service account token Secrets by ServiceAccount.
import type { Secret } from '../../apis/core/secret.ts';
import type { ServiceAccount } from '../../apis/core/serviceaccount.ts';
import type { Client } from '../../client/client.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import { decodePairs } from '../../store/pairs.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';

export interface TokenSecret {
  readonly key: string;
  /** The key of the ServiceAccount. */
  readonly account: string;
}

export interface TokenSecretsHeard {
  changed(secret: TokenSecret): void;
  removed(secret: TokenSecret): void;
  cleared(): void;
}

/** Holds only keys. */
export class TokenSecrets {
  readonly #api: Api;
  readonly #secrets: ServedResource;
  readonly #accounts: ServedResource;
  readonly #follower: Reflector;
  readonly #byAccount = new Map<string, Set<string>>();

  constructor(api: Api, heard: TokenSecretsHeard) {
    this.#api = api;
    this.#secrets = api.registry.kind('', 'v1', 'secrets');
    this.#accounts = api.registry.kind('', 'v1', 'serviceaccounts');
    this.#follower = new Reflector(api.store, this.#secrets.prefix, {
      add: (stored) => {
        const secret = this.#tokenSecret(stored);
        if (!secret) return;
        this.#note(secret);
        heard.changed(secret);
      },
      remove: (stored, isReplaced) => {
        const secret = this.#tokenSecret(stored);
        if (!secret) return;
        this.#forget(secret);
        if (!isReplaced) heard.removed(secret);
      },
      clear: () => {
        this.#byAccount.clear();
        heard.cleared();
      },
    });
  }

  start(): void {
    void this.#follower.warmUp();
  }

  reset(): void {
    this.#follower.reset();
    this.start();
  }

  close(): void {
    this.#follower.close();
  }

  *keys(): Iterable<string> {
    for (const keys of this.#byAccount.values()) yield* keys;
  }

  of(account: string): Iterable<string> {
    return this.#byAccount.get(account) ?? [];
  }

  secret(key: string): Secret | undefined {
    const stored = this.#api.store.get(key);
    return stored && this.#tokenSecret(stored) && (decodeStored(this.#secrets, stored) as Secret);
  }

  /** The ServiceAccount that a Secret names in its annotations. */
  accountOf({ metadata }: Secret): ServiceAccount | undefined {
    return this.account(this.#accountKey(metadata));
  }

  account(key: string): ServiceAccount | undefined {
    const stored = this.#api.store.get(key);
    return stored && (decodeStored(this.#accounts, stored) as ServiceAccount);
  }

  #accountKey({ namespace = '', annotations = {} }: Secret['metadata']): string {
    return this.#accounts.key(namespace, annotations[this.#api.dialect.annotations.serviceAccountName] ?? '');
  }

  #tokenSecret(stored: StoredObject): TokenSecret | undefined {
    const { secretTypes } = this.#api.dialect;
    if (decodePairs(stored.fields).get('type') !== secretTypes.serviceAccountToken) return undefined;
    const { metadata } = decodeStored(this.#secrets, stored) as Secret;
    return { key: stored.key, account: this.#accountKey(metadata) };
  }

  #note({ key, account }: TokenSecret): void {
    const keys = this.#byAccount.get(account);
    if (keys) keys.add(key);
    else this.#byAccount.set(account, new Set([key]));
  }

  #forget({ key, account }: TokenSecret): void {
    const keys = this.#byAccount.get(account);
    if (keys?.delete(key) && keys.size === 0) this.#byAccount.delete(account);
  }
}

/** Deletes the Secret, with its resourceVersion as precondition. */
export async function removeSecret(client: Client, { metadata }: Secret): Promise<void> {
  const { name, namespace, uid, resourceVersion } = metadata;
  const secret = { apiVersion: 'v1', kind: 'Secret', name: name!, namespace: namespace! };
  const preconditions = { uid: uid!, resourceVersion: resourceVersion! };
  await ignoreNotFound(client.delete(secret, { preconditions }));
}
