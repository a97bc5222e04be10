// Service account token Secrets (legacy tokens), indexed by ServiceAccount. An informer of Secrets that ignores other types.
import type { Secret } from '../../apis/core/secret.ts';
import type { ServiceAccount } from '../../apis/core/serviceaccount.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Lister } from '../../client/lister.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { ControllerContext } from '../runtime/controller.ts';

export const serviceAccounts = { group: '', version: 'v1', resource: 'serviceaccounts' } as const;
const secrets = { group: '', version: 'v1', resource: 'secrets' } as const;

export interface TokenSecret {
  /** The key of the Secret. */
  readonly key: string;
  /** The key of the ServiceAccount. */
  readonly account: string;
}

export interface TokenSecretHandlers {
  onAddOrUpdate(secret: TokenSecret): void;
  onDelete(secret: TokenSecret): void;
  onReset(): void;
}

export class TokenSecrets {
  readonly #dialect: Dialect;
  readonly #informer: Informer<Secret>;
  readonly #accounts: Lister<ServiceAccount>;

  constructor({ informers, dialect }: ControllerContext, handlers: TokenSecretHandlers) {
    this.#dialect = dialect;
    this.#accounts = informers.lister(serviceAccounts);
    const onAddOrUpdate = (object: InformerObject<Secret>) => {
      const secret = this.#tokenSecret(object);
      if (secret) handlers.onAddOrUpdate(secret);
    };
    this.#informer = informers.informer<Secret>(
      secrets,
      {
        onAdd: onAddOrUpdate,
        onUpdate: (_oldSecret, newSecret) => onAddOrUpdate(newSecret),
        onDelete: (object) => {
          const secret = this.#tokenSecret(object);
          if (secret) handlers.onDelete(secret);
        },
        onReset: () => handlers.onReset(),
      },
      {
        account: (object) => {
          const secret = this.#tokenSecret(object);
          return secret ? [secret.account] : [];
        },
      },
    );
  }

  start(): void {
    this.#informer.start();
  }

  reset(): void {
    this.#informer.reset();
    this.start();
  }

  close(): void {
    this.#informer.close();
  }

  keys(): Iterable<string> {
    return this.#informer.indexedKeys('account');
  }

  /** The keys of the token Secrets of a ServiceAccount. */
  keysOf(account: string): Iterable<string> {
    return this.#informer.keysByIndex('account', account);
  }

  secret(key: string): Secret | undefined {
    const object = this.#informer.getByKey(key);
    return object && this.#tokenSecret(object) && object.decode();
  }

  /** The ServiceAccount that a Secret names in its annotations. */
  accountOf({ metadata }: Secret): ServiceAccount | undefined {
    return this.account(this.#accountKey(metadata));
  }

  account(key: string): ServiceAccount | undefined {
    return this.#accounts.getByKey(key)?.decode();
  }

  #accountKey({
    namespace = '',
    annotations = {},
  }: Pick<ObjectMetadata, 'namespace' | 'annotations'>): string {
    return `${namespace}/${annotations[this.#dialect.annotations.serviceAccountName] ?? ''}`;
  }

  /** Returns undefined for a Secret of another type. */
  #tokenSecret(object: InformerObject<Secret>): TokenSecret | undefined {
    if (object.field('type') !== this.#dialect.secretTypes.serviceAccountToken) return undefined;
    const metadata = object.metadata();
    return metadata && { key: object.key, account: this.#accountKey(metadata) };
  }
}

/** Deletes the Secret, with its resourceVersion as precondition. */
export async function deleteSecret(client: Client, { metadata }: Secret): Promise<void> {
  const { name, namespace, uid, resourceVersion } = metadata;
  const secret = { apiVersion: 'v1', kind: 'Secret', name: name!, namespace: namespace! };
  const preconditions = { uid: uid!, resourceVersion: resourceVersion! };
  await ignoreNotFound(client.delete(secret, { preconditions }));
}
