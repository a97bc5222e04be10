// Serves custom resources: registers the kinds of CustomResourceDefinitions, maintains the status of definitions, and deletes
// the custom resources of definitions that are being deleted. It combines apiextensions-apiserver's controllers.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import { PatternThread } from '../../apis/apiextensions/pattern-thread.ts';
import { RuleCompiler } from '../../apis/apiextensions/rule-compiler.ts';
import { type Clock, timestamp } from '../../base/clock.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Informers } from '../../client/informers.ts';
import type { ConversionWebhooks } from '../../crd/conversion/conversion-webhooks.ts';
import { type CustomResourceKind, type CustomValidationTools, customKinds } from '../../crd/custom-kind.ts';
import { outlineOf } from '../../crd/outline.ts';
import { minPreparedSchemaBytes, parseVersionSchema } from '../../crd/read-schema.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ApiError } from '../../errors/status.ts';
import type { KindContext } from '../../kind/context.ts';
import type { DefinitionState } from '../../kind/definition.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { StatusPatcher } from '../runtime/status-patcher.ts';
import { setApiApprovalCondition } from './api-approval-condition.ts';
import { type FinalizerContext, finalizeDefinition } from './finalizer.ts';
import { isConditionTrue, namingStatus, TakenNames } from './naming-condition.ts';

/** Retry interval of a finalizer that could not delete all custom resources. */
const retryIntervalMs = 10_000;

const definitions = {
  group: 'apiextensions',
  version: 'v1',
  resource: 'customresourcedefinitions',
} as const;

export interface CustomResourceDefinitionContext {
  readonly client: Client;
  readonly informers: Informers;
  /** Receives the custom resources. */
  readonly kinds: Registry;
  readonly kindContext: KindContext;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly webhooks: ConversionWebhooks;
  readonly statusPatcher: StatusPatcher;
  /** Admission plugins decide again which of them handle a kind when the kinds change. */
  readonly admission: { invalidateHandlesCache(): void };
  /** Ends the watches of a resource, by its storage prefix. */
  readonly watches: { endResource(prefix: string): void };
  /** Whether other servers write to the same storage. */
  readonly isShared: boolean;
  /** Serves custom resources only: another thread of the server reconciles the definitions. */
  readonly isFollower: boolean;
}

interface CachedDefinition {
  /** The stored bytes. */
  readonly state: DefinitionState;
  /** The definition without its schemas, which may be large (see outlineOf). */
  readonly outline: CustomResourceDefinition;
  /** Changes when the kind must be registered again; '' for a kind that is not served. */
  readonly servingFingerprint: string;
}

/** A kind is served as soon as the status of its definition says Established. */
export class CustomResourceDefinitionController {
  readonly #context: CustomResourceDefinitionContext;
  readonly #dialect: Dialect;
  readonly #tools: CustomValidationTools;
  readonly #informer: Informer<CustomResourceDefinition>;
  readonly #definitionsByName = new Map<string, CachedDefinition>();
  /** Names of definitions by group. */
  readonly #byGroup = new Map<string, Set<string>>();
  /** Definitions whose status must be reconciled. */
  readonly #queue = new Set<string>();
  /** By definition, the informers of finalizers that wait for the last custom resource to be deleted. */
  readonly #waitingForLast = new Map<string, Informer<unknown>>();
  /** By definition, its running finalizer. */
  readonly #finalizers = new Map<string, Promise<void>>();
  /** Definitions to reconcile again after their running finalizer. */
  readonly #requeued = new Set<string>();
  /** Cancel functions of scheduled retries. */
  readonly #retries = new Set<() => void>();
  /** The running reconciliation of the queue. */
  #reconciling: Promise<void> | undefined;
  /**
   * Before start completes, kinds are registered synchronously, so that stored ones are served from the first
   * request.
   */
  #isStarted = false;
  #isClosed = false;

  constructor(context: CustomResourceDefinitionContext) {
    this.#context = context;
    this.#dialect = context.kindContext.dialect;
    this.#tools = { compiler: new RuleCompiler(this.#dialect), patternThread: new PatternThread() };
    this.#informer = context.informers.informer<CustomResourceDefinition>(definitions, {
      onAdd: (definition) => this.#onAddOrUpdate(definition),
      onUpdate: (_oldDefinition, newDefinition) => this.#onAddOrUpdate(newDefinition),
      onDelete: ({ name }) => this.#onDelete(name),
      onReset: () => this.#clear(),
    });
  }

  start(): void {
    this.#informer.sync();
    this.#isStarted = true;
  }

  reset(): void {
    this.#context.webhooks.reset();
    this.#informer.reset();
    this.#informer.sync();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const informer of this.#waitingForLast.values()) informer.close();
    for (const cancel of this.#retries) cancel();
    this.#context.webhooks.close();
    await Promise.all([this.#reconciling, ...this.#finalizers.values()]);
  }

  #onAddOrUpdate(definition: InformerObject<CustomResourceDefinition>): void {
    const { name } = definition;
    const outline = this.#readOutline(definition);
    if (!outline) return;
    const { group, names } = outline.spec;
    const previous = this.#definitionsByName.get(name);
    const current = {
      state: definition.copyState(),
      outline,
      servingFingerprint: this.#servingFingerprint(outline),
    };
    this.#definitionsByName.set(name, current);
    this.#byGroup.set(group, (this.#byGroup.get(group) ?? new Set()).add(name));
    // Keeps compiled schemas if only labels or conditions changed.
    if (current.servingFingerprint !== previous?.servingFingerprint) this.#serve(name, current);
    // Watches of the previous schema end; clients restart them.
    const wasServed = previous !== undefined && previous.servingFingerprint !== '';
    if (wasServed && previous.outline.metadata.generation !== outline.metadata.generation) {
      this.#context.watches.endResource(`${group}/${names.plural}`);
    }
    this.#enqueue(name);
  }

  /** Returns undefined, and logs the error, for a definition that cannot be decoded. */
  #readOutline(definition: InformerObject<CustomResourceDefinition>): CustomResourceDefinition | undefined {
    try {
      return outlineOf(definition.decodeLazily(), this.#dialect.annotations.apiApproved);
    } catch (error) {
      const { name } = definition;
      this.#context.logger.error({ err: error as Error, name }, 'failed to read a CustomResourceDefinition');
      return undefined;
    }
  }

  #servingFingerprint({ metadata, spec, status }: CustomResourceDefinition): string {
    // Custom resources with the storage prefix of a built-in kind would mix with its objects.
    const isBuiltIn = this.#context.kinds.ownsPrefix(`${spec.group}/${spec.names.plural}`);
    if (isBuiltIn || !isConditionTrue(status.conditions, 'Established')) return '';
    const { uid, generation } = metadata;
    return JSON.stringify([uid, generation, status.acceptedNames]);
  }

  /** Registers the kinds of a definition, a large one in the background; unregisters those that are not served any more. */
  #serve(name: string, { state, outline, servingFingerprint }: CachedDefinition): void {
    const source = {
      outline,
      stored: state,
      isTerminating: () =>
        this.#definitionsByName.get(name)?.outline.metadata.deletionTimestamp !== undefined,
      parseSchema: (version: string, yielder?: CooperativeYield) =>
        parseVersionSchema(this.#informer.resource, state, version, yielder),
    };
    const { kindContext, webhooks } = this.#context;
    const kinds =
      servingFingerprint === ''
        ? []
        : customKinds(source, kindContext, this.#tools, webhooks.converterFor(outline));
    if (!this.#isStarted || state.json.length < minPreparedSchemaBytes) {
      this.#register(name, kinds);
      return;
    }
    void this.#prepare(kinds).then(() => {
      const isCurrent = this.#definitionsByName.get(name)?.servingFingerprint === servingFingerprint;
      if (isCurrent) this.#register(name, kinds);
    });
  }

  async #prepare(kinds: readonly CustomResourceKind[]): Promise<void> {
    try {
      for (const kind of kinds) if (kind.isServed) await kind.prepare();
    } catch (error) {
      // Requests for its objects report the error.
      this.#context.logger.error({ err: error as Error }, 'failed to read a CustomResourceDefinition');
    }
  }

  #register(name: string, kinds: readonly CustomResourceKind[]): void {
    this.#context.kinds.setCustom(name, kinds, this.#dialect);
    this.#context.admission.invalidateHandlesCache();
  }

  #onDelete(name: string): void {
    const cached = this.#definitionsByName.get(name);
    this.#definitionsByName.delete(name);
    this.#context.webhooks.remove(name);
    this.#register(name, []);
    if (!cached) return;
    const { group, names } = cached.outline.spec;
    const inGroup = this.#byGroup.get(group);
    inGroup?.delete(name);
    if (inGroup?.size === 0) this.#byGroup.delete(group);
    this.#context.watches.endResource(`${group}/${names.plural}`);
    // Definitions with a name conflict may now be accepted.
    for (const [other, { status }] of this.#othersInGroup(group, name)) {
      if (!isConditionTrue(status.conditions, 'NamesAccepted')) this.#enqueue(other);
    }
  }

  *#othersInGroup(group: string, name: string): Generator<[name: string, outline: CustomResourceDefinition]> {
    for (const other of this.#byGroup.get(group) ?? []) {
      const cached = this.#definitionsByName.get(other);
      if (cached && other !== name) yield [other, cached.outline];
    }
  }

  #clear(): void {
    for (const name of [...this.#definitionsByName.keys()]) this.#onDelete(name);
  }

  /** Reconciles definitions one after the other, in the background. */
  #enqueue(name: string): void {
    if (this.#context.isFollower) return;
    this.#queue.add(name);
    this.#reconciling ??= this.#reconcileQueue().finally(() => {
      this.#reconciling = undefined;
      // A definition may have been added while the promise resolved.
      const [next] = this.#queue;
      if (next !== undefined && !this.#isClosed) this.#enqueue(next);
    });
  }

  async #reconcileQueue(): Promise<void> {
    await Promise.resolve();
    const yielder = new CooperativeYield();
    for (const name of this.#queue) {
      await yielder.next();
      this.#queue.delete(name);
      if (this.#isClosed) return;
      const cached = this.#definitionsByName.get(name);
      if (!cached) continue;
      try {
        if (cached.outline.metadata.deletionTimestamp) this.#startFinalizer(name, cached);
        else await this.#updateStatus(name, cached);
      } catch (error) {
        this.#logError(name, error);
      }
    }
  }

  #logError(name: string, error: unknown): void {
    // Deleted or changed concurrently: the change triggers another reconciliation.
    if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
    this.#context.logger.error(
      { err: error as Error, name },
      'failed to update the status of a CustomResourceDefinition',
    );
  }

  /** Runs concurrently with the reconciliation of other definitions, as it may wait for a webhook. */
  #startFinalizer(name: string, cached: CachedDefinition): void {
    if (this.#finalizers.has(name)) {
      this.#requeued.add(name);
      return;
    }
    const finalizer = this.#finalize(name, cached)
      .catch((error: unknown) => this.#logError(name, error))
      .finally(() => {
        this.#finalizers.delete(name);
        if (this.#requeued.delete(name) && !this.#isClosed) this.#enqueue(name);
      });
    this.#finalizers.set(name, finalizer);
  }

  async #finalize(name: string, { outline }: CachedDefinition): Promise<void> {
    const { group, names, versions } = outline.spec;
    const storage = versions?.find((version) => version.storage);
    const { kinds, informers, clock } = this.#context;
    const resource = storage && kinds.ofPrefix(`${group}/${names.plural}`, storage.name);
    const customResources = resource && informers.listerOf(resource);
    const result = await finalizeDefinition(this.#finalizerContext(), outline, customResources);
    if (this.#isClosed) return;
    if (result === 'waiting') this.#waitForDeletion(resource!, name);
    if (result !== 'failed') return;
    const cancel = clock.after(retryIntervalMs, () => {
      this.#retries.delete(cancel);
      this.#enqueue(name);
    });
    this.#retries.add(cancel);
  }

  #finalizerContext(): FinalizerContext {
    const { client, statusPatcher, clock, isShared } = this.#context;
    const dialect = this.#dialect;
    return { client, definitions: this.#informer, statusPatcher, dialect, clock, isShared };
  }

  /** Reconciles the definition again after the next deletion of one of its custom resources. */
  #waitForDeletion(resource: ServedResource, name: string): void {
    this.#waitingForLast.get(name)?.close();
    const informer = this.#context.informers.informerOf(resource, {
      onDelete: () => {
        informer.close();
        this.#waitingForLast.delete(name);
        this.#enqueue(name);
      },
    });
    this.#waitingForLast.set(name, informer);
    informer.watch();
  }

  /** Updates names and conditions in the status. */
  async #updateStatus(name: string, { state, outline }: CachedDefinition): Promise<void> {
    const taken = new TakenNames();
    for (const [, other] of this.#othersInGroup(outline.spec.group, name))
      taken.add(other.status.acceptedNames);
    const now = timestamp(this.#context.clock);
    const naming = namingStatus(outline, taken, now);
    setApiApprovalCondition(outline, naming.conditions, this.#dialect, now);
    const status = { ...outline.status, ...naming };
    const { schema } = this.#informer.resource.definition;
    if (isSemanticallyEqual(schema.fields.status!.type, outline.status, status)) return;
    const { statusPatcher } = this.#context;
    await statusPatcher.patch(this.#informer, name, String(state.revision), undefined, status);
  }
}
