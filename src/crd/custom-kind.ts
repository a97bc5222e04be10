// Custom resources: the ResourceDefinition of each version of a CustomResourceDefinition, with its schema, strategy and
// subresources, as built-in kinds have them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CostBudget, hasMaxErrors } from '../apis/apiextensions/cost-budget.ts';
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';
import { extensionNames, type JSONSchemaProps } from '../apis/apiextensions/json-schema.ts';
import type { PatternThread } from '../apis/apiextensions/pattern-thread.ts';
import { Patterns, type ValueValidationOptions } from '../apis/apiextensions/patterns.ts';
import type { RuleCompiler } from '../apis/apiextensions/rule-compiler.ts';
import { validateValue } from '../apis/apiextensions/value-validation.ts';
import type { CustomResourceDefinitionVersion } from '../apis/apiextensions/version.ts';
import { type CooperativeTask, CooperativeYield, runTask, runTaskSync } from '../base/cooperative-yield.ts';
import type { JsonValue } from '../codec/json/json-value.ts';
import { addErrors, type FieldError } from '../errors/field-error.ts';
import { quote } from '../errors/quote.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject, ObjectMetadata } from '../kind/api-object.ts';
import type { KindContext } from '../kind/context.ts';
import type {
  Converter,
  DefinitionState,
  PublishedSchema,
  ResourceDefinition,
  Subresource,
} from '../kind/definition.ts';
import { isStandardFinalizer, validateMetadataChange } from '../kind/meta/validation.ts';
import type { Strategy, UpdateStrategy } from '../kind/strategy.ts';
import { compareVersions } from '../kind/version-priority.ts';
import { mergeSchemaOf } from '../patch/apply/merge-schema.ts';
import { nameIsSubdomain } from '../schema/names.ts';
import { isSemanticallyEqual } from '../schema/semantic-equality.ts';
import type { Struct } from '../schema/struct.ts';
import { CustomRules, type CustomValidationResult, hasRules } from './custom-rules.ts';
import { customScale, validateScale } from './custom-scale.ts';
import { customSchema, customSchemaCooperatively } from './custom-schema.ts';
import { customResourceTable } from './custom-table.ts';
import { duplicateItemErrors } from './duplicate-items.ts';
import { validateEmbedded } from './embedded-resources.ts';
import { ExtensionValues } from './extension-values.ts';
import { JsonPath } from './json-path.ts';
import type { ParsedSchema } from './read-schema.ts';
import { toJsonObject } from './to-json-object.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;

/** Shared by the validation of all custom resources. */
export interface CustomValidationTools {
  readonly compiler: RuleCompiler;
  readonly patternThread: PatternThread;
}

/** One version of a custom resource. */
export interface CustomResourceKind extends ResourceDefinition {
  /** Compiles schema and rules ahead of the first object, yielding to the event loop, for large definitions. */
  prepare(): Promise<void>;
}

interface CustomKindSource {
  /** The definition without its schemas (outline.ts). */
  readonly outline: CustomResourceDefinition;
  /** The stored definition, from which the schemas are parsed on demand. */
  readonly stored: DefinitionState;
  /** The definition is being deleted: objects can no longer be created. */
  isTerminating(): boolean;
  /** Yields to the event loop if `cooperativeYield` is given. */
  parseSchema(version: string, cooperativeYield?: CooperativeYield): CooperativeTask<ParsedSchema>;
}

/** The definition of each version, as for built-in kinds. */
export function customKinds(
  { parseSchema, ...source }: CustomKindSource,
  context: KindContext,
  tools: CustomValidationTools,
  converter: Converter | undefined,
): CustomResourceKind[] {
  const { versions = [] } = source.outline.spec;
  // Versions that are no longer served are included, because objects may be stored in them.
  return versions.map(
    (version) =>
      new CustomKind(
        { ...source, parseSchema: (cooperativeYield) => parseSchema(version.name, cooperativeYield) },
        version,
        converter,
        context,
        tools,
      ),
  );
}

/** Schema, validation and rules are compiled with the first object, unless `prepare` has run. */
class CustomKind implements CustomResourceKind {
  readonly isCustom = true;
  readonly isServed: boolean;
  readonly isStored: boolean;
  readonly converter?: Converter;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs = verbs;
  readonly strategy: Strategy;
  readonly subresources: Readonly<Record<string, Subresource>>;
  readonly storagePrefix: string;
  readonly deprecationWarning?: string;
  readonly selectableFieldNames: readonly string[];
  readonly selectableFields?: (object: ApiObject) => Record<string, string>;
  readonly published: PublishedSchema;
  readonly #version: CustomResourceDefinitionVersion;
  readonly #parseSchema: (cooperativeYield?: CooperativeYield) => CooperativeTask<ParsedSchema>;
  readonly #context: KindContext;
  readonly #tools: CustomValidationTools;
  readonly #isTerminating: () => boolean;
  #cachedOpenApiSchema: JSONSchemaProps | undefined;
  /** Identifies a large schema (read-schema.ts). */
  #digest: string | undefined;
  #schema: Struct<ApiObject> | undefined;
  #cachedOptions: ValueValidationOptions | undefined;
  #extensionValues: ExtensionValues | undefined;
  #table: ResourceDefinition['table'] | undefined;
  /** Created on first use; null without rules. */
  #rules: CustomRules | null | undefined;
  /** The results of validation, which `load` runs because it may be asynchronous; `validate` returns them. */
  readonly #validationResults = new WeakMap<ApiObject, CustomValidationResult>();

  constructor(
    {
      outline,
      stored,
      isTerminating,
      parseSchema,
    }: Omit<CustomKindSource, 'parseSchema'> & {
      parseSchema(cooperativeYield?: CooperativeYield): CooperativeTask<ParsedSchema>;
    },
    version: CustomResourceDefinitionVersion,
    converter: Converter | undefined,
    context: KindContext,
    tools: CustomValidationTools,
  ) {
    const { metadata, spec, status } = outline;
    const names = status.acceptedNames;
    this.#isTerminating = isTerminating;
    this.#version = version;
    this.#parseSchema = parseSchema;
    this.#context = context;
    this.#tools = tools;
    this.isServed = version.served;
    this.isStored = version.storage;
    if (converter) this.converter = converter;
    this.group = spec.group;
    this.version = version.name;
    this.kind = names.kind;
    this.listKind = names.listKind ?? `${names.kind}List`;
    this.plural = names.plural;
    this.singular = names.singular ?? '';
    this.shortNames = names.shortNames ?? [];
    this.categories = names.categories ?? [];
    this.namespaced = spec.scope === 'Namespaced';
    this.storagePrefix = `${spec.group}/${names.plural}`;
    const { uid, generation } = metadata;
    this.published = {
      schema: () => this.#cachedOpenApiSchema ?? runTaskSync(parseSchema()).decode(),
      state: JSON.stringify([uid, generation, version.name, names]),
      definition: stored,
    };
    this.strategy = this.#strategy();
    this.subresources = this.#subresources();
    if (version.deprecated)
      this.deprecationWarning = version.deprecationWarning || defaultDeprecationWarning(spec, version);
    this.selectableFieldNames = (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.slice(1));
    // A stored object carries the selectable fields of all versions, since requests of every version select on it.
    const selectable = new Set(
      spec.versions?.flatMap((each) => each.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    );
    if (selectable.size > 0) {
      const paths = [...selectable].map((path) => [path.slice(1), JsonPath.parse(path)] as const);
      this.selectableFields = (object) =>
        Object.fromEntries(paths.map(([name, path]) => [name, selectableValue(object, path)]));
    }
  }

  get schema(): Struct<ApiObject> {
    this.#schema ??= customSchema(this.#fullName, this.#openApiSchema, this.#validationOptions, this.#digest);
    return this.#schema;
  }

  async prepare(): Promise<void> {
    // Each step of a large definition may take long, so other requests run in between.
    await nextTurn();
    const parsed = await runTask(this.#parseSchema(new CooperativeYield()));
    await nextTurn();
    const openApi = this.#cacheSchema(parsed);
    await nextTurn();
    const schema = await customSchemaCooperatively(
      this.#fullName,
      openApi,
      this.#validationOptions,
      this.#digest,
    );
    this.#schema ??= schema;
    await nextTurn();
    // The fingerprint, a hash of the schema, is computed on first access: here, and not with the first write.
    void schema.fingerprint;
    await nextTurn();
    mergeSchemaOf(this.#schema);
    await nextTurn();
    this.#rulesIfAny();
  }

  get table(): NonNullable<ResourceDefinition['table']> {
    this.#table ??= customResourceTable(this.#version.additionalPrinterColumns);
    return this.#table;
  }

  get #fullName(): string {
    return `${this.group}/${this.version}.${this.kind}`;
  }

  /** Parsed on first access, unless `prepare` has run. */
  get #openApiSchema(): JSONSchemaProps {
    return this.#cachedOpenApiSchema ?? this.#cacheSchema(runTaskSync(this.#parseSchema()));
  }

  #cacheSchema(parsed: ParsedSchema): JSONSchemaProps {
    this.#cachedOpenApiSchema = parsed.decode();
    this.#digest = parsed.digest;
    return this.#cachedOpenApiSchema;
  }

  get #validationOptions(): ValueValidationOptions {
    this.#cachedOptions ??= {
      ...extensionNames(this.#context.dialect),
      patterns: new Patterns(this.#tools.patternThread),
      exactNumbers: this.#context.dialect.rules.exactNumbers,
    };
    return this.#cachedOptions;
  }

  #strategy(): Strategy {
    const hasStatus = this.#version.subresources?.status !== undefined;
    return {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: false,
      // managedFields leave out status, which a write of the object does not change.
      ...(hasStatus && { resetFields: ['status'] }),
      prepareForCreate: (object) => {
        if (this.#isTerminating()) throw terminatingError(this);
        if (hasStatus) delete object.status;
        object.metadata.generation = 1;
      },
      prepareForUpdate: (object, old) => {
        if (hasStatus) restoreField(object, old, 'status');
        if (!this.#isSameExceptMetadata(object, old)) {
          object.metadata.generation = (old.metadata.generation ?? 0) + 1;
        }
      },
      load: (object, old, owner, maxRuleCost) => {
        const budget = new CostBudget(owner);
        return this.#runValidation(object, old, this.#schemaErrors(object, old, budget), maxRuleCost);
      },
      validate: (object) => [...this.#resultFor(object).errors],
      warningsOnCreate: ({ metadata }) => this.#unqualifiedFinalizerWarnings(metadata, []),
      warningsOnUpdate: (object, old) => [
        ...this.#resultFor(object).warnings,
        ...this.#unqualifiedFinalizerWarnings(object.metadata, old.metadata.finalizers ?? []),
      ],
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...this.#resultFor(object).errors,
      ],
    };
  }

  /** Warns about new finalizers without a domain. */
  #unqualifiedFinalizerWarnings({ finalizers = [] }: ObjectMetadata, old: readonly string[]): string[] {
    return finalizers
      .filter(
        (name) =>
          !name.includes('/') && !old.includes(name) && !isStandardFinalizer(name, this.#context.dialect),
      )
      .map(
        (name) =>
          `metadata.finalizers: ${quote(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
      );
  }

  #subresources(): Record<string, Subresource> {
    const { status, scale } = this.#version.subresources ?? {};
    return {
      ...(status && { status: { verbs: ['get', 'patch', 'update'], rules: this.#statusStrategy() } }),
      ...(scale && { scale: customScale(scale) }),
    };
  }

  /** Only status changes; all other fields are those of the stored object. */
  #statusStrategy(): UpdateStrategy {
    return {
      load: (object, old, owner, maxRuleCost) => {
        const budget = new CostBudget(owner);
        return this.#runValidation(object, old, this.#statusErrors(object, old, budget), maxRuleCost);
      },
      resetFields: ['spec'],
      prepareForUpdate(object, old) {
        for (const field of Object.keys({ ...object, ...old })) {
          if (!['apiVersion', 'kind', 'metadata', 'status'].includes(field)) restoreField(object, old, field);
        }
        const { managedFields, resourceVersion } = object.metadata;
        object.metadata = {
          ...old.metadata,
          ...(resourceVersion !== undefined && { resourceVersion }),
          ...(managedFields && { managedFields }),
        };
        if (!managedFields) delete object.metadata.managedFields;
      },
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...this.#resultFor(object).errors,
      ],
      warningsOnUpdate: (object) => [...this.#resultFor(object).warnings],
    };
  }

  *#statusErrors(
    { status }: ApiObject,
    old: ApiObject | undefined,
    budget: CostBudget,
  ): CooperativeTask<FieldError[]> {
    const schema = this.#openApiSchema.properties?.status;
    if (!schema || status === undefined) return [];
    const value = status as JsonValue;
    const oldStatus = old?.status as JsonValue | undefined;
    return [
      ...(yield* validateValue(value, schema, 'status', this.#validationOptions, budget, oldStatus)),
      ...(yield* this.#extensionErrors(value, schema, 'status', budget)),
    ];
  }

  /** The schema errors of an object, except those that ratcheting tolerates. */
  *#schemaErrors(
    object: ApiObject,
    old: ApiObject | undefined,
    budget: CostBudget,
  ): CooperativeTask<FieldError[]> {
    const value = toJsonObject(object);
    const { scale } = this.#version.subresources ?? {};
    return [
      ...(yield* validateValue(
        value,
        this.#openApiSchema,
        '',
        this.#validationOptions,
        budget,
        old && toJsonObject(old),
      )),
      ...(scale ? validateScale(object, scale) : []),
      ...(yield* this.#extensionErrors(value, this.#openApiSchema, '', budget)),
    ];
  }

  /** Constraints of extensions: duplicates in sets and maps, and embedded resources. */
  *#extensionErrors(
    value: JsonValue,
    schema: JSONSchemaProps,
    path: string,
    budget: CostBudget,
  ): CooperativeTask<FieldError[]> {
    const duplicates: FieldError[] = [];
    const embedded: FieldError[] = [];
    this.#extensionValues ??= new ExtensionValues(this.#validationOptions);
    for (const extensionValue of this.#extensionValues.find(value, schema, path)) {
      const yielding = budget.spend();
      if (yielding) yield yielding;
      if (hasMaxErrors(duplicates) || hasMaxErrors(embedded)) break;
      addErrors(duplicates, yield* duplicateItemErrors(extensionValue, this.#validationOptions, budget));
      addErrors(embedded, validateEmbedded(extensionValue, this.#validationOptions));
    }
    return [...duplicates, ...embedded];
  }

  /** Runs schema validation, then the rules, and keeps the result for `validate` and `validateUpdate`. */
  #runValidation(
    object: ApiObject,
    old: ApiObject | undefined,
    validation: CooperativeTask<FieldError[]>,
    maxRuleCost: number | undefined,
  ): Promise<void> | undefined {
    const schemaErrors = runTask(validation);
    return schemaErrors instanceof Promise
      ? schemaErrors.then((errors) => this.#evaluateRules(object, old, errors, maxRuleCost))
      : this.#evaluateRules(object, old, schemaErrors, maxRuleCost);
  }

  #evaluateRules(
    object: ApiObject,
    old: ApiObject | undefined,
    errors: readonly FieldError[],
    maxRuleCost: number | undefined,
  ): Promise<void> | undefined {
    const rules = this.#rulesIfAny();
    if (rules) {
      const validating = rules.validate(object, old, errors, maxRuleCost);
      return validating.then((result) => void this.#validationResults.set(object, result));
    }
    this.#validationResults.set(object, { errors, warnings: [] });
    return undefined;
  }

  #rulesIfAny(): CustomRules | null {
    if (this.#rules === undefined) {
      const options = this.#validationOptions;
      const schema = this.#openApiSchema;
      const version = { ...this.#version, schema: { openAPIV3Schema: schema } };
      this.#rules = hasRules(schema, options)
        ? new CustomRules(version, schema, options, this.#tools.compiler)
        : null;
    }
    return this.#rules;
  }

  /** The result that `load` computed for an object. */
  #resultFor(object: ApiObject): CustomValidationResult {
    const result = this.#validationResults.get(object);
    if (!result) throw new Error('the object was not validated before it was accepted or rejected');
    return result;
  }

  #isSameExceptMetadata(a: ApiObject, b: ApiObject): boolean {
    const emptyMetadata = { metadata: {} };
    return isSemanticallyEqual(this.schema, { ...a, ...emptyMetadata }, { ...b, ...emptyMetadata });
  }
}

/** The warning for a deprecated version without one: it names the preferred version that is not deprecated, if any. */
function defaultDeprecationWarning(
  { group, names, versions = [] }: CustomResourceDefinition['spec'],
  version: CustomResourceDefinitionVersion,
): string {
  const warning = `${group}/${version.name} ${names.kind} is deprecated`;
  const [preferred] = versions
    .filter(
      ({ served, deprecated, name }) => served && !deprecated && compareVersions(name, version.name) < 0,
    )
    .sort((a, b) => compareVersions(a.name, b.name));
  return preferred ? `${warning}; use ${group}/${preferred.name} ${names.kind}` : warning;
}

function terminatingError({ group, plural }: CustomKind): ApiError {
  const message = 'create not allowed while custom resource definition is terminating';
  return new ApiError(405, 'MethodNotAllowed', message, { group, kind: plural });
}

function restoreField(object: ApiObject, old: ApiObject, field: string): void {
  if (old[field] === undefined) delete object[field];
  else object[field] = old[field];
}

function selectableValue(object: ApiObject, path: JsonPath | undefined): string {
  const [value] = path?.find(toJsonObject(object)) ?? [];
  return value === undefined || value === null ? '' : String(value);
}
