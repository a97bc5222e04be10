// Worker thread: the custom resources whose definitions the serving thread has sent, at most 16 of them.
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';
import { PatternThread } from '../apis/apiextensions/pattern-thread.ts';
import { RuleCompiler } from '../apis/apiextensions/rule-compiler.ts';
import type { CooperativeYield } from '../base/cooperative-yield.ts';
import { type CustomValidationTools, customKinds } from '../crd/custom-kind.ts';
import { outlineOf } from '../crd/outline.ts';
import { parseVersionSchema } from '../crd/read-schema.ts';
import type { KindContext } from '../kind/context.ts';
import type { DefinitionState } from '../kind/definition.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import { decodeLazily } from '../kind/storage/codec.ts';
import type { Revision } from '../store/store.ts';

/** A further definition replaces the least recently used one. */
const maxDefinitions = 16;

export class WorkerCustomResources {
  readonly #registry: Registry;
  readonly #context: KindContext;
  readonly #tools: CustomValidationTools;
  readonly #definitions: ServedResource;
  /** The revision of each added definition by name, the least recently used first. */
  readonly #revisions = new Map<string, Revision>();

  constructor(registry: Registry, context: KindContext) {
    const { dialect } = context;
    this.#registry = registry;
    this.#context = context;
    this.#tools = { compiler: new RuleCompiler(dialect), patternThread: new PatternThread() };
    this.#definitions = registry.kind(dialect.groupName('apiextensions'), 'v1', 'customresourcedefinitions');
  }

  /** Serves the custom resources of a definition, in place of those of an earlier revision of it. */
  add(stored: DefinitionState): void {
    const { name } = this.#definitions.namespaceAndName(stored.key);
    const addedRevision = this.#revisions.get(name);
    // Moves the name to the end: it is the most recently used.
    this.#revisions.delete(name);
    this.#revisions.set(name, stored.revision);
    if (addedRevision === stored.revision) return;
    const { dialect } = this.#context;
    const definition = decodeLazily(this.#definitions, stored) as CustomResourceDefinition;
    const outline = outlineOf(definition, dialect.annotations.apiApproved);
    // Copied, because the buffer of the message holds more than the definition.
    const { key, schemaFingerprint, revision } = stored;
    const ownState = { key, schemaFingerprint, revision, json: Buffer.from(stored.json) };
    const source = {
      outline,
      stored: ownState,
      isTerminating: () => outline.metadata.deletionTimestamp !== undefined,
      parseSchema: (version: string, yielder?: CooperativeYield) =>
        parseVersionSchema(this.#definitions, ownState, version, yielder),
    };
    this.#registry.setCustom(name, customKinds(source, this.#context, this.#tools, undefined), dialect);
    this.#removeExcess();
  }

  /** Removes the least recently used definition if there are too many. */
  #removeExcess(): void {
    const [oldest] = this.#revisions.keys();
    if (this.#revisions.size <= maxDefinitions || oldest === undefined) return;
    this.#revisions.delete(oldest);
    this.#registry.setCustom(oldest, [], this.#context.dialect);
  }
}
