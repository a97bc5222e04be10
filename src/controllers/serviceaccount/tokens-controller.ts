// serviceaccount-token-controller: fills in service account token Secrets, and deletes them with their
// ServiceAccount.

import type { Secret } from '../../apis/core/secret.ts';
import type { ServiceAccount } from '../../apis/core/serviceaccount.ts';
import type { Manifest } from '../../client/client.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { Change } from '../../store/store.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { removeSecret, type TokenSecret, TokenSecrets } from './token-secrets.ts';

export class TokensController implements Controller {
  readonly #context: ControllerContext;
  readonly #tokens: TokenSecrets;
  readonly #queue: WorkQueue;
  /** Deleted Secrets that ServiceAccounts may still reference. */
  readonly #gone = new Map<string, TokenSecret>();
  #unsubscribe = () => {};

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = context.newQueue({
      name: 'serviceaccount_tokens_secret',
      reconcile: (key) => this.#look(key),
      workers: 5,
    });
    this.#tokens = new TokenSecrets(context.api, {
      changed: ({ key }) => this.#queue.add(key),
      removed: (secret) => {
        this.#gone.set(secret.key, secret);
        this.#queue.add(secret.key);
      },
      cleared: () => {
        this.#gone.clear();
        this.#queue.clear();
      },
    });
  }

  start(): void {
    const onChanges = (changes: readonly Change[]) => {
      for (const { type, key } of changes) {
        if (type !== 'deleted') continue;
        for (const secret of this.#tokens.of(key)) this.#queue.add(secret);
      }
    };
    this.#unsubscribe = this.#context.api.store.subscribe(onChanges, ['serviceaccounts']);
    this.#tokens.start();
  }

  reset(): void {
    this.#tokens.reset();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#tokens.close();
    await this.#queue.close();
  }

  async #look(key: string): Promise<void> {
    const secret = this.#tokens.secret(key);
    if (!secret) {
      const gone = this.#gone.get(key);
      if (gone) await this.#forget(gone);
      this.#gone.delete(key);
      return;
    }
    this.#gone.delete(key);
    if (secret.metadata.deletionTimestamp) return;
    const account = this.#tokens.accountOf(secret);
    const uid = secret.metadata.annotations?.[this.#context.api.dialect.annotations.serviceAccountUid];
    if (!account || (uid && uid !== account.metadata.uid)) await removeSecret(this.#context.client, secret);
    else if (!secret.immutable) await this.#fillIn(secret, account);
  }

  async #fillIn(secret: Secret, account: ServiceAccount): Promise<void> {
    const { client, api, tokens, rootCa } = this.#context;
    const { namespace = '', name = '' } = secret.metadata;
    const data = Object.assign(Object.create(null), secret.data) as Record<string, string>;
    const before = JSON.stringify(data);
    if (rootCa !== undefined) data['ca.crt'] = encoded(rootCa);
    if (!data.namespace) data.namespace = encoded(namespace);
    if (!data.token) {
      const owner = { name: account.metadata.name!, uid: account.metadata.uid! };
      data.token = encoded(tokens.issueLegacy({ namespace, account: owner, secretName: name }));
    }
    if (JSON.stringify(data) === before) return;
    const annotations = {
      ...secret.metadata.annotations,
      [api.dialect.annotations.serviceAccountUid]: account.metadata.uid!,
    };
    const metadata = { ...secret.metadata, annotations };
    const manifest = { ...secret, apiVersion: 'v1', kind: 'Secret', metadata, data } as Manifest;
    await client.update(manifest, { manager: this.#context.identity.manager });
  }

  /** Removes a deleted Secret from the secrets of its ServiceAccount. */
  async #forget(secret: TokenSecret): Promise<void> {
    const account = this.#tokens.account(secret.account);
    const name = secret.key.slice(secret.key.lastIndexOf('/') + 1);
    if (!account?.secrets?.some((named) => named.name === name)) return;
    const secrets = account.secrets.filter((named) => named.name !== name);
    const manifest = { ...account, apiVersion: 'v1', kind: 'ServiceAccount', secrets } as Manifest;
    const { client, identity } = this.#context;
    await ignoreNotFound(client.update(manifest, { manager: identity.manager }));
  }
}

const encoded = (text: string) => Buffer.from(text).toString('base64');
