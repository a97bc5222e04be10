import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import { PatternThread } from '../../apis/apiextensions/pattern-thread.ts';
import { RuleCompiler } from '../../apis/apiextensions/rule-compiler.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ConversionWebhooks } from '../../crd/conversion/conversion-webhooks.ts';
import { type CheckingTools, customKinds, type LearntKind } from '../../crd/custom-kind.ts';
import { outlineOf } from '../../crd/outline.ts';
import { parsingSchema, worthPreparing } from '../../crd/read-schema.ts';
import { ApiError } from '../../errors/status.ts';
import type { KindContext } from '../../kind/context.ts';
import type { DefinitionState } from '../../kind/definition.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeLazily } from '../../kind/storage/codec.ts';
import { timestamp } from '../../kind/time.ts';
import type { Api, Target } from '../../registry/api.ts';
import { isSame } from '../../schema/same.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { WriteExecutor } from '../../workers/write-executor.ts';
import { sayApproval } from './api-approval-condition.ts';
import { removeInstances } from './finalizer.ts';
import { isTrue, settleNames, TakenNames } from './naming-condition.ts';
import { patchStatus } from './patch-status.ts';

/** When to try again to delete objects of a kind, in milliseconds. */
const retryAfter = 10_000;

/** A definition as it was stored, with bytes of its own: the store's are cut from larger ones, which they keep alive. */
function kept({ key, json, mark, revision }: StoredObject): DefinitionState {
  const own = Buffer.allocUnsafeSlow(json.length);
  json.copy(own);
  return { key, json: own, mark, revision };
}

/** What is known of a custom kind. */
interface Known {
  readonly stored: DefinitionState;
  readonly outline: CustomResourceDefinition;
  /** Differs where the kind is served in another way. */
  readonly servedAs: string;
}

/**
 * Serves the kinds that CustomResourceDefinitions describe: finds out by which names, says so in their status, and lets
 * the registry know. A kind is served as soon as its status says that it is.
 */
export class CustomResourceDefinitionController {
  readonly #api: Api;
  readonly #writing: WriteExecutor;
  readonly #context: KindContext;
  readonly #logger: Logger;
  readonly #tools: CheckingTools;
  readonly #definitions: ServedResource;
  readonly #follower: Reflector;
  readonly #webhooks: ConversionWebhooks;
  readonly #known = new Map<string, Known>();
  /** Names of definitions by their group. */
  readonly #byGroup = new Map<string, Set<string>>();
  /** Those whose state is to be looked at. */
  readonly #due = new Set<string>();
  /** By prefix, kinds that are to go once their last object has. */
  readonly #awaited = new Map<string, string>();
  /** Kinds whose objects are being deleted, and those of them that are to be looked at again then. */
  readonly #removals = new Map<string, Promise<void>>();
  readonly #dueAgain = new Set<string>();
  readonly #retries = new Set<() => void>();
  #unsubscribe: (() => void) | undefined;
  #working: Promise<void> | undefined;
  /** Those that there were before are served from the first moment on. */
  #isBegun = false;
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
      add: (stored) => this.#learn(stored),
      remove: (stored, isReplaced) => {
        if (!isReplaced) this.#forget(nameIn(stored));
      },
      clear: () => this.#forgetAll(),
    });
  }

  /** From now on every kind that is established is served. */
  start(): void {
    this.#unsubscribe = this.#api.store.subscribe((changes) => {
      if (this.#awaited.size === 0) return;
      for (const { prefix, type } of changes) {
        const name = type === 'deleted' ? this.#awaited.get(prefix) : undefined;
        if (name === undefined) continue;
        this.#awaited.delete(prefix);
        this.#lookAt(name);
      }
    });
    this.#follower.sync();
    this.#isBegun = true;
  }

  /** The store has become another one. */
  reset(): void {
    this.#webhooks.reset();
    this.#follower.reset();
    this.#follower.sync();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe?.();
    for (const stopWaiting of this.#retries) stopWaiting();
    this.#webhooks.close();
    await Promise.all([this.#working, ...this.#removals.values()]);
  }

  #learn(stored: StoredObject): void {
    const name = nameIn(stored);
    const outline = this.#outline(stored);
    if (!outline) return;
    const { group } = outline.spec;
    const before = this.#known.get(name);
    const servedAs = this.#servedAs(outline);
    const own = kept(stored);
    this.#known.set(name, { stored: own, outline, servedAs });
    this.#byGroup.set(group, (this.#byGroup.get(group) ?? new Set()).add(name));
    // What was made of its schema to read objects is still good where no more than labels or conditions have changed.
    if (servedAs !== before?.servedAs) this.#serve(name, own, outline, servedAs);
    // Who watches it, watches it as it was: they are to begin anew.
    if (before?.servedAs && before.outline.metadata.generation !== outline.metadata.generation) {
      this.#api.hub.endResource(`${group}/${outline.spec.names.plural}`);
    }
    this.#lookAt(name);
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

  /** '' for a kind that is not served. */
  #servedAs({ metadata, spec, status }: CustomResourceDefinition): string {
    // Else its objects would lie among those of a kind that the server has, and go with it.
    const isOurs = this.#api.registry.ownsPrefix(`${spec.group}/${spec.names.plural}`);
    if (isOurs || !isTrue(status.conditions, 'Established')) return '';
    const { uid, generation } = metadata;
    return JSON.stringify([uid, generation, status.acceptedNames]);
  }

  #serve(name: string, stored: DefinitionState, outline: CustomResourceDefinition, servedAs: string): void {
    const described = {
      outline,
      stored,
      isEnding: () => this.#known.get(name)?.outline.metadata.deletionTimestamp !== undefined,
      parseSchema: (version: string, turns?: CooperativeYield) =>
        parsingSchema(this.#definitions, stored, version, turns),
    };
    const kinds =
      servedAs === '' ? [] : customKinds(described, this.#context, this.#tools, this.#webhooks.of(outline));
    if (!this.#isBegun || stored.json.length < worthPreparing) this.#register(name, kinds);
    else {
      void this.#prepare(kinds).then(() => {
        if (this.#known.get(name)?.servedAs === servedAs) this.#register(name, kinds);
      });
    }
  }

  async #prepare(kinds: readonly LearntKind[]): Promise<void> {
    try {
      for (const kind of kinds) if (kind.isServed) await kind.prepare();
    } catch (error) {
      // Who asks for its objects is told.
      this.#logger.error({ err: error as Error }, 'failed to read a CustomResourceDefinition');
    }
  }

  #register(name: string, kinds: readonly LearntKind[]): void {
    this.#api.registry.setCustom(name, kinds, this.#api.dialect);
    this.#api.admission.reconsider();
  }

  #forget(name: string): void {
    const known = this.#known.get(name);
    this.#known.delete(name);
    this.#webhooks.forget(name);
    this.#api.registry.setCustom(name, [], this.#api.dialect);
    this.#api.admission.reconsider();
    if (!known) return;
    const { group, names } = known.outline.spec;
    const inGroup = this.#byGroup.get(group);
    inGroup?.delete(name);
    if (inGroup?.size === 0) this.#byGroup.delete(group);
    this.#api.hub.endResource(`${group}/${names.plural}`);
    // Names that were in use are free for others.
    for (const [other, { status }] of this.#others(group, name)) {
      if (!isTrue(status.conditions, 'NamesAccepted')) this.#lookAt(other);
    }
  }

  /** The other definitions of a group. */
  *#others(group: string, name: string): Generator<[name: string, outline: CustomResourceDefinition]> {
    for (const other of this.#byGroup.get(group) ?? []) {
      const known = this.#known.get(other);
      if (known && other !== name) yield [other, known.outline];
    }
  }

  #forgetAll(): void {
    for (const name of [...this.#known.keys()]) this.#forget(name);
  }

  /** What is to be done is done soon, one after the other. */
  #lookAt(name: string): void {
    this.#due.add(name);
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      // What came in the very moment before.
      const [next] = this.#due;
      if (next !== undefined && !this.#closed) this.#lookAt(next);
    });
  }

  async #work(): Promise<void> {
    await Promise.resolve();
    const turns = new CooperativeYield();
    for (const name of this.#due) {
      await turns.next();
      this.#due.delete(name);
      if (this.#closed) return;
      const known = this.#known.get(name);
      if (!known) continue;
      try {
        if (known.outline.metadata.deletionTimestamp) this.#beginRemoval(name, known);
        else await this.#settle(name, known);
      } catch (error) {
        this.#report(name, error);
      }
    }
  }

  #report(name: string, error: unknown): void {
    // It was changed or deleted meanwhile: that is heard of, and looked at then.
    if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
    this.#logger.error(
      { err: error as Error, name },
      'failed to update the status of a CustomResourceDefinition',
    );
  }

  /** Apart from the others: it may have to wait for a webhook. */
  #beginRemoval(name: string, known: Known): void {
    if (this.#removals.has(name)) {
      this.#dueAgain.add(name);
      return;
    }
    const removal = this.#remove(name, known)
      .catch((error: unknown) => this.#report(name, error))
      .finally(() => {
        this.#removals.delete(name);
        if (this.#dueAgain.delete(name) && !this.#closed) this.#lookAt(name);
      });
    this.#removals.set(name, removal);
  }

  async #remove(name: string, { outline }: Known): Promise<void> {
    const { group, names } = outline.spec;
    const removal = await removeInstances(
      { api: this.#api, writing: this.#writing },
      this.#target(name),
      outline,
    );
    if (removal === 'waiting') this.#awaited.set(`${group}/${names.plural}`, name);
    if (removal !== 'failed' || this.#closed) return;
    const stopWaiting = this.#api.clock.after(retryAfter, () => {
      this.#retries.delete(stopWaiting);
      this.#lookAt(name);
    });
    this.#retries.add(stopWaiting);
  }

  /** Says in the status of a definition by which names it is served. */
  async #settle(name: string, { stored, outline }: Known): Promise<void> {
    const taken = new TakenNames();
    for (const [, other] of this.#others(outline.spec.group, name)) taken.add(other.status.acceptedNames);
    const { clock, dialect } = this.#api;
    const now = timestamp(clock);
    const settled = settleNames(outline, taken, now);
    sayApproval(outline, settled.conditions, dialect, now);
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
