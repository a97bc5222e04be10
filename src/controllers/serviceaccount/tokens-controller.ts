// serviceaccount-token-controller: fills in service account token Secrets, and deletes them with their
// ServiceAccount.

import type { Secret } from '../../apis/core/secret.ts';
import type { ServiceAccount } from '../../apis/core/serviceaccount.ts';
import type { Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { deleteSecret, serviceAccounts, type TokenSecret, TokenSecrets } from './token-secrets.ts';

export class TokensController implements Controller {
  readonly #context: ControllerContext;
  readonly #tokens: TokenSecrets;
  readonly #accounts: Informer<ServiceAccount>;
  readonly #queue: WorkQueue;
  /** Deleted Secrets, by key, that ServiceAccounts may still reference. */
  readonly #deleted = new Map<string, TokenSecret>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = context.newQueue({
      name: 'serviceaccount_tokens_secret',
      reconcile: (key) => this.#reconcile(key),
      workers: 5,
    });
    this.#tokens = new TokenSecrets(context, {
      onAddOrUpdate: ({ key }) => this.#queue.add(key),
      onDelete: (secret) => {
        this.#deleted.set(secret.key, secret);
        this.#queue.add(secret.key);
      },
      onReset: () => {
        this.#deleted.clear();
        this.#queue.clear();
      },
    });
    this.#accounts = context.informers.informer<ServiceAccount>(serviceAccounts, {
      onDelete: ({ key }) => {
        for (const secret of this.#tokens.keysOf(key)) this.#queue.add(secret);
      },
    });
  }

  start(): void {
    this.#accounts.watch();
    this.#tokens.start();
  }

  reset(): void {
    this.#accounts.reset();
    this.#accounts.watch();
    this.#tokens.reset();
  }

  async close(): Promise<void> {
    this.#accounts.close();
    this.#tokens.close();
    await this.#queue.close();
  }

  async #reconcile(key: string): Promise<void> {
    const secret = this.#tokens.secret(key);
    if (!secret) {
      const deleted = this.#deleted.get(key);
      if (deleted) await this.#removeReference(deleted);
      this.#deleted.delete(key);
      return;
    }
    this.#deleted.delete(key);
    if (secret.metadata.deletionTimestamp) return;
    const account = this.#tokens.accountOf(secret);
    const uid = secret.metadata.annotations?.[this.#context.dialect.annotations.serviceAccountUid];
    if (!account || (uid && uid !== account.metadata.uid)) await deleteSecret(this.#context.client, secret);
    else if (!secret.immutable) await this.#fillIn(secret, account);
  }

  /** Adds token, namespace and CA to the data of a Secret, where they are missing. */
  async #fillIn(secret: Secret, account: ServiceAccount): Promise<void> {
    const { client, dialect, tokens, rootCa } = this.#context;
    const { namespace = '', name = '' } = secret.metadata;
    // Without a prototype, because clients choose the keys.
    const data = Object.assign(Object.create(null), secret.data) as Record<string, string>;
    const oldData = JSON.stringify(data);
    if (rootCa !== undefined) data['ca.crt'] = base64(rootCa);
    if (!data.namespace) data.namespace = base64(namespace);
    if (!data.token) {
      const owner = { name: account.metadata.name!, uid: account.metadata.uid! };
      data.token = base64(tokens.issueLegacy({ namespace, account: owner, secretName: name }));
    }
    if (JSON.stringify(data) === oldData) return;
    const annotations = {
      ...secret.metadata.annotations,
      [dialect.annotations.serviceAccountUid]: account.metadata.uid!,
    };
    const metadata = { ...secret.metadata, annotations };
    const manifest = { ...secret, apiVersion: 'v1', kind: 'Secret', metadata, data } as Manifest;
    await client.update(manifest, { manager: this.#context.identity.manager });
  }

  /** Removes a deleted Secret from the secrets of its ServiceAccount. */
  async #removeReference(secret: TokenSecret): Promise<void> {
    const account = this.#tokens.account(secret.account);
    const name = secret.key.slice(secret.key.lastIndexOf('/') + 1);
    if (!account?.secrets?.some((reference) => reference.name === name)) return;
    const secrets = account.secrets.filter((reference) => reference.name !== name);
    const manifest = { ...account, apiVersion: 'v1', kind: 'ServiceAccount', secrets } as Manifest;
    const { client, identity } = this.#context;
    await ignoreNotFound(client.update(manifest, { manager: identity.manager }));
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
