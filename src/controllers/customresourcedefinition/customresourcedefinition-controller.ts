// Serves custom resources: follows CustomResourceDefinitions and maintains their status.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import { PatternThread } from '../../apis/apiextensions/pattern-thread.ts';
import { RuleCompiler } from '../../apis/apiextensions/rule-compiler.ts';
import { timestamp } from '../../base/clock.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ConversionWebhooks } from '../../crd/conversion/conversion-webhooks.ts';
import { type CustomResourceKind, type CustomValidationTools, customKinds } from '../../crd/custom-kind.ts';
import { outlineOf } from '../../crd/outline.ts';
import { minPreparedSchemaBytes, parseVersionSchema } from '../../crd/read-schema.ts';
import { ApiError } from '../../errors/status.ts';
import type { KindContext } from '../../kind/context.ts';
import type { DefinitionState } from '../../kind/definition.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeLazily } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import type { Target } from '../../registry/target.ts';
import { isSame } from '../../schema/same.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { WriteExecutor } from '../../workers/write-executor.ts';
import { setApiApprovalCondition } from './api-approval-condition.ts';
import { deleteCustomResources } from './finalizer.ts';
import { isTrue, namingStatus, TakenNames } from './naming-condition.ts';
import { patchStatus } from './patch-status.ts';

/** Retry interval of the finalizer, in milliseconds. */
const retryAfter = 10_000;

/** Copies the bytes: those of the store are slices that keep larger buffers alive. */
function kept({ key, json, mark, revision }: StoredObject): DefinitionState {
  const own = Buffer.allocUnsafeSlow(json.length);
  json.copy(own);
  return { key, json: own, mark, revision };
}

interface KnownDefinition {
  readonly stored: DefinitionState;
  readonly outline: CustomResourceDefinition;
  /** Identifies the served form of the kind; changes when the kind must be registered again. */
  readonly servedAs: string;
}

/** A kind is served as soon as the status of its definition says Established. */
export class CustomResourceDefinitionController {
  readonly #api: Api;
  readonly #writing: WriteExecutor;
  readonly #context: KindContext;
  readonly #logger: Logger;
  readonly #tools: CustomValidationTools;
  readonly #definitions: ServedResource;
  readonly #follower: Reflector;
  readonly #webhooks: ConversionWebhooks;
  readonly #definitionsByName = new Map<string, KnownDefinition>();
  /** Names of definitions by group. */
  readonly #byGroup = new Map<string, Set<string>>();
  /** Definitions whose status must be reconciled. */
  readonly #queue = new Set<string>();
  /** By prefix, the subscriptions of finalizers that wait for the last custom resource to be deleted. */
  readonly #waitingForLast = new Map<string, () => void>();
  /** Running finalizers, and definitions to reconcile again after them. */
  readonly #removals = new Map<string, Promise<void>>();
  readonly #dueAgain = new Set<string>();
  readonly #retries = new Set<() => void>();
  #working: Promise<void> | undefined;
  /**
   * Before start completes, kinds are registered synchronously, so that stored ones are served from the first
   * request.
   */
  #isStarted = false;
  #closed = false;

  constructor(api: Api, writing: WriteExecutor, context: KindContext, logger: Logger, meters: Metrics) {
    this.#api = api;
    this.#writing = writing;
    this.#webhooks = new ConversionWebhooks(api, meters);
    this.#context = context;
    this.#logger = logger;
    this.#tools = { compiler: new RuleCompiler(api.dialect), patternThread: new PatternThread() };
    const { registry, dialect } = api;
    this.#definitions = registry.kind(dialect.groupName('apiextensions'), 'v1', 'customresourcedefinitions');
    this.#follower = new Reflector(api.store, this.#definitions.prefix, {
      add: (stored) => this.#onUpsert(stored),
      remove: (stored, isReplaced) => {
        if (!isReplaced) this.#onDelete(nameIn(stored));
      },
      clear: () => this.#clear(),
    });
  }

  start(): void {
    this.#follower.sync();
    this.#isStarted = true;
  }

  reset(): void {
    this.#webhooks.reset();
    this.#follower.reset();
    this.#follower.sync();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const unsubscribe of this.#waitingForLast.values()) unsubscribe();
    for (const stopWaiting of this.#retries) stopWaiting();
    this.#webhooks.close();
    await Promise.all([this.#working, ...this.#removals.values()]);
  }

  #onUpsert(stored: StoredObject): void {
    const name = nameIn(stored);
    const outline = this.#outline(stored);
    if (!outline) return;
    const { group } = outline.spec;
    const before = this.#definitionsByName.get(name);
    const servedAs = this.#servedAs(outline);
    const own = kept(stored);
    this.#definitionsByName.set(name, { stored: own, outline, servedAs });
    this.#byGroup.set(group, (this.#byGroup.get(group) ?? new Set()).add(name));
    // Keeps compiled schemas if only labels or conditions changed.
    if (servedAs !== before?.servedAs) this.#serve(name, own, outline, servedAs);
    // Watches of the previous schema end; clients restart them.
    if (before?.servedAs && before.outline.metadata.generation !== outline.metadata.generation) {
      this.#api.hub.endResource(`${group}/${outline.spec.names.plural}`);
    }
    this.#enqueue(name);
  }

  #outline(stored: StoredObject): CustomResourceDefinition | undefined {
    try {
      const definition = decodeLazily(this.#definitions, stored) as CustomResourceDefinition;
      return outlineOf(definition, this.#api.dialect.annotations.apiApproved);
    } catch (error) {
      this.#logger.error(
        { err: error as Error, key: stored.key },
        'failed to read a CustomResourceDefinition',
      );
      return undefined;
    }
  }

  /** Returns '' for a kind that is not served. */
  #servedAs({ metadata, spec, status }: CustomResourceDefinition): string {
    // The prefix of a built-in kind: custom resources would mix with its objects.
    const isOurs = this.#api.registry.ownsPrefix(`${spec.group}/${spec.names.plural}`);
    if (isOurs || !isTrue(status.conditions, 'Established')) return '';
    const { uid, generation } = metadata;
    return JSON.stringify([uid, generation, status.acceptedNames]);
  }

  #serve(name: string, stored: DefinitionState, outline: CustomResourceDefinition, servedAs: string): void {
    const described = {
      outline,
      stored,
      isTerminating: () =>
        this.#definitionsByName.get(name)?.outline.metadata.deletionTimestamp !== undefined,
      parseSchema: (version: string, turns?: CooperativeYield) =>
        parseVersionSchema(this.#definitions, stored, version, turns),
    };
    const kinds =
      servedAs === '' ? [] : customKinds(described, this.#context, this.#tools, this.#webhooks.of(outline));
    if (!this.#isStarted || stored.json.length < minPreparedSchemaBytes) this.#register(name, kinds);
    else {
      void this.#prepare(kinds).then(() => {
        if (this.#definitionsByName.get(name)?.servedAs === servedAs) this.#register(name, kinds);
      });
    }
  }

  async #prepare(kinds: readonly CustomResourceKind[]): Promise<void> {
    try {
      for (const kind of kinds) if (kind.isServed) await kind.prepare();
    } catch (error) {
      // Requests for its objects report the error.
      this.#logger.error({ err: error as Error }, 'failed to read a CustomResourceDefinition');
    }
  }

  #register(name: string, kinds: readonly CustomResourceKind[]): void {
    this.#api.registry.setCustom(name, kinds, this.#api.dialect);
    this.#api.admission.reconsider();
  }

  #onDelete(name: string): void {
    const known = this.#definitionsByName.get(name);
    this.#definitionsByName.delete(name);
    this.#webhooks.remove(name);
    this.#api.registry.setCustom(name, [], this.#api.dialect);
    this.#api.admission.reconsider();
    if (!known) return;
    const { group, names } = known.outline.spec;
    const inGroup = this.#byGroup.get(group);
    inGroup?.delete(name);
    if (inGroup?.size === 0) this.#byGroup.delete(group);
    this.#api.hub.endResource(`${group}/${names.plural}`);
    // Definitions with a name conflict may now be accepted.
    for (const [other, { status }] of this.#others(group, name)) {
      if (!isTrue(status.conditions, 'NamesAccepted')) this.#enqueue(other);
    }
  }

  *#others(group: string, name: string): Generator<[name: string, outline: CustomResourceDefinition]> {
    for (const other of this.#byGroup.get(group) ?? []) {
      const known = this.#definitionsByName.get(other);
      if (known && other !== name) yield [other, known.outline];
    }
  }

  #clear(): void {
    for (const name of [...this.#definitionsByName.keys()]) this.#onDelete(name);
  }

  /** Reconciles definitions one after the other, in the background. */
  #enqueue(name: string): void {
    this.#queue.add(name);
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      // A definition may have been added while the promise resolved.
      const [next] = this.#queue;
      if (next !== undefined && !this.#closed) this.#enqueue(next);
    });
  }

  async #work(): Promise<void> {
    await Promise.resolve();
    const turns = new CooperativeYield();
    for (const name of this.#queue) {
      await turns.next();
      this.#queue.delete(name);
      if (this.#closed) return;
      const known = this.#definitionsByName.get(name);
      if (!known) continue;
      try {
        if (known.outline.metadata.deletionTimestamp) this.#beginRemoval(name, known);
        else await this.#updateStatus(name, known);
      } catch (error) {
        this.#report(name, error);
      }
    }
  }

  #report(name: string, error: unknown): void {
    // Deleted or changed concurrently: the change triggers another reconciliation.
    if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
    this.#logger.error(
      { err: error as Error, name },
      'failed to update the status of a CustomResourceDefinition',
    );
  }

  /** Runs beside the others, as it may wait for a webhook. */
  #beginRemoval(name: string, known: KnownDefinition): void {
    if (this.#removals.has(name)) {
      this.#dueAgain.add(name);
      return;
    }
    const removal = this.#remove(name, known)
      .catch((error: unknown) => this.#report(name, error))
      .finally(() => {
        this.#removals.delete(name);
        if (this.#dueAgain.delete(name) && !this.#closed) this.#enqueue(name);
      });
    this.#removals.set(name, removal);
  }

  async #remove(name: string, { outline }: KnownDefinition): Promise<void> {
    const { group, names } = outline.spec;
    const removal = await deleteCustomResources(
      { api: this.#api, writing: this.#writing },
      this.#target(name),
      outline,
    );
    if (removal === 'waiting' && !this.#closed) this.#waitForDeletion(`${group}/${names.plural}`, name);
    if (removal !== 'failed' || this.#closed) return;
    const stopWaiting = this.#api.clock.after(retryAfter, () => {
      this.#retries.delete(stopWaiting);
      this.#enqueue(name);
    });
    this.#retries.add(stopWaiting);
  }

  /** Reconciles the definition again after the next deletion of one of its custom resources. */
  #waitForDeletion(prefix: string, name: string): void {
    this.#waitingForLast.get(prefix)?.();
    const unsubscribe = this.#api.store.subscribe(
      (changes) => {
        if (!changes.some(({ type }) => type === 'deleted')) return;
        unsubscribe();
        this.#waitingForLast.delete(prefix);
        this.#enqueue(name);
      },
      [prefix],
    );
    this.#waitingForLast.set(prefix, unsubscribe);
  }

  /** Updates names and conditions in the status. */
  async #updateStatus(name: string, { stored, outline }: KnownDefinition): Promise<void> {
    const taken = new TakenNames();
    for (const [, other] of this.#others(outline.spec.group, name)) taken.add(other.status.acceptedNames);
    const { clock, dialect } = this.#api;
    const now = timestamp(clock);
    const settled = namingStatus(outline, taken, now);
    setApiApprovalCondition(outline, settled.conditions, dialect, now);
    const { status } = outline;
    const after = { ...status, ...settled };
    const { schema } = this.#definitions.definition;
    if (isSame(schema.fields.status!.type, status, after)) return;
    await patchStatus(this.#writing, this.#target(name), stored.revision, undefined, after);
  }

  #target(name: string): Target {
    return { resource: this.#definitions, namespace: '', name, subresource: 'status' };
  }
}

const nameIn = ({ key }: StoredObject) => key.slice(key.lastIndexOf('/') + 1);
