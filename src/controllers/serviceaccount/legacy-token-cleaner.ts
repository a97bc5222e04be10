// legacy-serviceaccount-token-cleaner-controller: deletes unused auto-generated token Secrets.
import type { Secret } from '../../apis/core/secret.ts';
import { every } from '../../base/clock.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { Manifest } from '../../client/client.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import { decodeLazily } from '../../kind/storage/codec.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { removeSecret, TokenSecrets } from './token-secrets.ts';

const day = 24 * 60 * 60_000;
/** How long a token must be unused to be marked invalid, and how long after that it is deleted. */
const unusedFor = 365 * day;

/**
 * Marks auto-generated token Secrets that were not used for a year and that no pod mounts as invalid, and deletes
 * them after another year.
 */
export class LegacyTokenCleaner implements Controller {
  readonly #context: ControllerContext;
  readonly #tokens: TokenSecrets;
  readonly #queue: WorkQueue;
  #stop = () => {};

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = context.newQueue({
      name: 'legacy-service-account-token-cleaner',
      reconcile: (key) => this.#look(key),
    });
    this.#tokens = new TokenSecrets(context.api, {
      changed: ({ key }) => this.#queue.add(key),
      removed: () => {},
      cleared: () => this.#queue.clear(),
    });
  }

  start(): void {
    this.#tokens.start();
    this.#stop = every(this.#context.api.clock, day, () => {
      for (const key of this.#tokens.keys()) this.#queue.add(key);
    });
  }

  reset(): void {
    this.#tokens.reset();
  }

  async close(): Promise<void> {
    this.#stop();
    this.#tokens.close();
    await this.#queue.close();
  }

  async #look(key: string): Promise<void> {
    const { clock } = this.#context.api;
    const longAgo = clock.now() - unusedFor;
    const secret = this.#tokens.secret(key);
    if (!secret || secret.metadata.deletionTimestamp || !this.#isTrackedSince(longAgo)) return;
    if (!this.#wasMadeByItself(secret) || this.#wasUsedAfter(longAgo, secret)) return;
    if (await this.#isNamedByPods(secret)) return;
    const invalidSince = this.#label(secret, 'tokenInvalidSince');
    if (!isDay(invalidSince)) await this.#callInvalid(secret);
    else if (Date.parse(invalidSince) <= longAgo) await removeSecret(this.#context.client, secret);
  }

  /** Whether token use has been tracked for the whole period. */
  #isTrackedSince(time: number): boolean {
    const { store, registry, dialect } = this.#context.api;
    const resource = registry.kind('', 'v1', 'configmaps');
    const stored = store.get(resource.key(dialect.systemNamespace, dialect.legacyTokenTrackingName));
    const { since = '' } = ((stored && decodeLazily(resource, stored).data) ?? {}) as { since?: string };
    return isDay(since) && Date.parse(since) <= time;
  }

  /** Auto-generated Secrets are listed in the secrets of their ServiceAccount. */
  #wasMadeByItself(secret: Secret): boolean {
    const { secrets = [] } = this.#tokens.accountOf(secret) ?? {};
    return secrets.some(({ name }) => name === secret.metadata.name);
  }

  #wasUsedAfter(time: number, secret: Secret): boolean {
    const used = this.#label(secret, 'tokenLastUsed');
    if (Date.parse(secret.metadata.creationTimestamp ?? '') > time) return true;
    return isDay(used) && Date.parse(used) > time;
  }

  /** Whether a pod of the namespace mentions the name of the Secret, in any field. */
  async #isNamedByPods({ metadata }: Secret): Promise<boolean> {
    const { store, registry } = this.#context.api;
    const named = Buffer.from(JSON.stringify(metadata.name));
    const view = store.pin();
    const keys = [...view.keys(registry.kind('', 'v1', 'pods').range(metadata.namespace!))];
    view.release();
    const turns = new CooperativeYield();
    for (const key of keys) {
      await turns.next();
      if (store.get(key)?.json.includes(named)) return true;
    }
    return false;
  }

  async #callInvalid(secret: Secret): Promise<void> {
    const { client, api } = this.#context;
    const today = new Date(api.clock.now()).toISOString().slice(0, 10);
    const labels = { ...secret.metadata.labels, [api.dialect.labels.tokenInvalidSince]: today };
    const metadata = { ...secret.metadata, labels };
    const manifest = { ...secret, apiVersion: 'v1', kind: 'Secret', metadata } as Manifest;
    await ignoreNotFound(client.update(manifest, this.#context.identity));
  }

  #label({ metadata }: Secret, label: 'tokenInvalidSince' | 'tokenLastUsed'): string {
    return metadata.labels?.[this.#context.api.dialect.labels[label]] ?? '';
  }
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
