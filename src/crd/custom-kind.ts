// Custom resources: the served kinds of a CustomResourceDefinition, one for each version.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CostBudget, isEnough } from '../apis/apiextensions/cost-budget.ts';
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';
import { extensionNames, type JSONSchemaProps } from '../apis/apiextensions/json-schema.ts';
import type { PatternThread } from '../apis/apiextensions/pattern-thread.ts';
import { Patterns, type ValueTerms } from '../apis/apiextensions/patterns.ts';
import type { RuleCompiler } from '../apis/apiextensions/rule-compiler.ts';
import { validateValue } from '../apis/apiextensions/value-validation.ts';
import type { CustomResourceDefinitionVersion } from '../apis/apiextensions/version.ts';
import { CooperativeYield, runWork, runWorkSync, type Work } from '../base/cooperative-yield.ts';
import type { JsonValue } from '../codec/json/json-value.ts';
import type { FieldError } from '../errors/field-error.ts';
import { quote } from '../errors/quote.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject, ObjectMeta } from '../kind/api-object.ts';
import type { KindContext } from '../kind/context.ts';
import type {
  Converter,
  DefinitionState,
  Published,
  ResourceDefinition,
  Subresource,
} from '../kind/definition.ts';
import { isStandardFinalizer, validateMetadataChange } from '../kind/meta/validation.ts';
import type { Strategy, UpdateStrategy } from '../kind/strategy.ts';
import { compareVersions } from '../kind/version-priority.ts';
import { mergeSchemaOf } from '../patch/apply/merge-schema.ts';
import { nameIsSubdomain } from '../schema/names.ts';
import { isSame } from '../schema/same.ts';
import type { Struct } from '../schema/struct.ts';
import { asJson } from './as-json.ts';
import { tableOf } from './columns.ts';
import { CustomRules, hasRules, type Verdict } from './custom-rules.ts';
import { customSchema, customSchemaInTurns } from './custom-schema.ts';
import { validateEmbedded } from './embedded-resources.ts';
import { JsonPath } from './json-path.ts';
import { repeatedElements } from './list-keys.ts';
import { Parts } from './parts.ts';
import type { ParsedSchema } from './read-schema.ts';
import { customScale, validateScale } from './scale-paths.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;

/** What the validation of all custom resources shares. */
export interface CheckingTools {
  readonly compiler: RuleCompiler;
  readonly patternThread: PatternThread;
}

/** A custom resource. */
export interface LearntKind extends ResourceDefinition {
  /** Puts together in several turns what takes long for a large definition, and would else be made for the first object. */
  prepare(): Promise<void>;
}

interface Described {
  readonly outline: CustomResourceDefinition;
  readonly stored: DefinitionState;
  /** It is to go, and takes no more objects. */
  isEnding(): boolean;
  /** In several turns, or at once where there are none. */
  parseSchema(version: string, turns?: CooperativeYield): Work<ParsedSchema>;
}

/** The versions of a custom kind, each as the server serves its own kinds. */
export function customKinds(
  { parseSchema, ...described }: Described,
  context: KindContext,
  tools: CheckingTools,
  converter: Converter | undefined,
): LearntKind[] {
  const { versions = [] } = described.outline.spec;
  // Objects may have been stored in those, too, that are not served any more.
  return versions.map(
    (version) =>
      new CustomKind(
        { ...described, parseSchema: (turns) => parseSchema(version.name, turns) },
        version,
        converter,
        context,
        tools,
      ),
  );
}

function usualWarning(
  { group, names, versions = [] }: CustomResourceDefinition['spec'],
  version: CustomResourceDefinitionVersion,
): string {
  const warning = `${group}/${version.name} ${names.kind} is deprecated`;
  const [better] = versions
    .filter(
      ({ served, deprecated, name }) => served && !deprecated && compareVersions(name, version.name) < 0,
    )
    .sort((one, other) => compareVersions(one.name, other.name));
  return better ? `${warning}; use ${group}/${better.name} ${names.kind}` : warning;
}

/** One version of a custom kind. What it takes to read and check objects is put together when the first one comes. */
class CustomKind implements LearntKind {
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
  readonly published: Published;
  readonly #version: CustomResourceDefinitionVersion;
  readonly #parseSchema: (turns?: CooperativeYield) => Work<ParsedSchema>;
  readonly #context: KindContext;
  readonly #tools: CheckingTools;
  readonly #isEnding: () => boolean;
  #openApiSchema: JSONSchemaProps | undefined;
  #digest: string | undefined;
  #schema: Struct<ApiObject> | undefined;
  #terms: ValueTerms | undefined;
  #parts: Parts | undefined;
  #table: ResourceDefinition['table'] | undefined;
  /** Created on first use; null without rules. */
  #rules: CustomRules | null | undefined;
  /** The validation results of objects that are being written. */
  readonly #verdicts = new WeakMap<ApiObject, Verdict>();

  constructor(
    {
      outline,
      stored,
      isEnding,
      parseSchema,
    }: Omit<Described, 'parseSchema'> & { parseSchema(turns?: CooperativeYield): Work<ParsedSchema> },
    version: CustomResourceDefinitionVersion,
    converter: Converter | undefined,
    context: KindContext,
    tools: CheckingTools,
  ) {
    const { metadata, spec, status } = outline;
    const names = status.acceptedNames;
    this.#isEnding = isEnding;
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
      schema: () => this.#openApiSchema ?? runWorkSync(parseSchema()).decode(),
      state: JSON.stringify([uid, generation, version.name, names]),
      definition: stored,
    };
    this.strategy = this.#strategy();
    this.subresources = this.#subresources();
    if (version.deprecated)
      this.deprecationWarning = version.deprecationWarning || usualWarning(spec, version);
    this.selectableFieldNames = (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.slice(1));
    // Those of all versions lie beside an object that is stored, whichever is asked for.
    const selectable = new Set(
      spec.versions?.flatMap((each) => each.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    );
    if (selectable.size > 0) {
      const paths = [...selectable].map((path) => [path.slice(1), JsonPath.parse(path)] as const);
      this.selectableFields = (object) =>
        Object.fromEntries(paths.map(([name, path]) => [name, selectedText(object, path)]));
    }
  }

  get schema(): Struct<ApiObject> {
    this.#schema ??= customSchema(this.#fullName, this.#openApi, this.#valueTerms, this.#digest);
    return this.#schema;
  }

  async prepare(): Promise<void> {
    await nextTurn();
    const parsed = await runWork(this.#parseSchema(new CooperativeYield()));
    await nextTurn();
    const openApi = this.#take(parsed);
    await nextTurn();
    const schema = await customSchemaInTurns(this.#fullName, openApi, this.#valueTerms, this.#digest);
    this.#schema ??= schema;
    await nextTurn();
    void schema.mark;
    await nextTurn();
    mergeSchemaOf(this.#schema);
    await nextTurn();
    this.#rulesOrNone();
  }

  get table(): NonNullable<ResourceDefinition['table']> {
    this.#table ??= tableOf(this.#version.additionalPrinterColumns);
    return this.#table;
  }

  get #fullName(): string {
    return `${this.group}/${this.version}.${this.kind}`;
  }

  get #openApi(): JSONSchemaProps {
    return this.#openApiSchema ?? this.#take(runWorkSync(this.#parseSchema()));
  }

  #take(parsed: ParsedSchema): JSONSchemaProps {
    this.#openApiSchema = parsed.decode();
    this.#digest = parsed.digest;
    return this.#openApiSchema;
  }

  get #valueTerms(): ValueTerms {
    this.#terms ??= {
      ...extensionNames(this.#context.dialect),
      patterns: new Patterns(this.#tools.patternThread),
      exactNumbers: this.#context.dialect.rules.exactNumbers,
    };
    return this.#terms;
  }

  #strategy(): Strategy {
    const hasStatus = this.#version.subresources?.status !== undefined;
    return {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: false,
      ...(hasStatus && { untracked: ['status'] }),
      prepareForCreate: (object) => {
        if (this.#isEnding()) throw notWhileEnding(this);
        if (hasStatus) delete object.status;
        object.metadata.generation = 1;
      },
      prepareForUpdate: (object, old) => {
        if (hasStatus) keep(object, old, 'status');
        if (!this.#isSameButMetadata(object, old)) {
          object.metadata.generation = (old.metadata.generation ?? 0) + 1;
        }
      },
      load: (object, old) => this.#judge(object, old, this.#wrong(object, old)),
      validate: (object) => [...this.#verdictOn(object).errors],
      warningsOnCreate: ({ metadata }) => this.#bareFinalizers(metadata, []),
      warningsOnUpdate: (object, old) => [
        ...this.#verdictOn(object).warnings,
        ...this.#bareFinalizers(object.metadata, old.metadata.finalizers ?? []),
      ],
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...this.#verdictOn(object).errors,
      ],
    };
  }

  #bareFinalizers({ finalizers = [] }: ObjectMeta, old: readonly string[]): string[] {
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
      ...(status && { status: { verbs: ['get', 'patch', 'update'], rules: this.#statusRules() } }),
      ...(scale && { scale: customScale(scale) }),
    };
  }

  /** The status is written, and all else stays as it is. */
  #statusRules(): UpdateStrategy {
    return {
      load: (object, old) => this.#judge(object, old, this.#wrongStatus(object, old)),
      untracked: ['spec'],
      prepareForUpdate(object, old) {
        for (const field of Object.keys({ ...object, ...old })) {
          if (!['apiVersion', 'kind', 'metadata', 'status'].includes(field)) keep(object, old, field);
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
        ...this.#verdictOn(object).errors,
      ],
      warningsOnUpdate: (object) => [...this.#verdictOn(object).warnings],
    };
  }

  *#wrongStatus({ status }: ApiObject, old: ApiObject | undefined): Work<FieldError[]> {
    const schema = this.#openApi.properties?.status;
    if (!schema || status === undefined) return [];
    const value = status as JsonValue;
    const before = old?.status as JsonValue | undefined;
    const effort = new CostBudget();
    return [
      ...(yield* validateValue(value, schema, 'status', this.#valueTerms, effort, before)),
      ...(yield* this.#wrongParts(value, schema, 'status', effort)),
    ];
  }

  /** The schema errors of an object, except those that ratcheting tolerates. */
  *#wrong(object: ApiObject, old?: ApiObject): Work<FieldError[]> {
    const value = asJson(object);
    const effort = new CostBudget();
    const { scale } = this.#version.subresources ?? {};
    return [
      ...(yield* validateValue(value, this.#openApi, '', this.#valueTerms, effort, old && asJson(old))),
      ...(scale ? validateScale(object, scale) : []),
      ...(yield* this.#wrongParts(value, this.#openApi, '', effort)),
    ];
  }

  /** Constraints of extensions: duplicates in sets and maps, and embedded resources. */
  *#wrongParts(
    value: JsonValue,
    schema: JSONSchemaProps,
    path: string,
    effort: CostBudget,
  ): Work<FieldError[]> {
    const repeated: FieldError[] = [];
    const embedded: FieldError[] = [];
    this.#parts ??= new Parts(this.#valueTerms);
    for (const part of this.#parts.of(value, schema, path)) {
      const turn = effort.spend();
      if (turn) yield turn;
      if (isEnough(repeated) || isEnough(embedded)) break;
      repeated.push(...(yield* repeatedElements(part, this.#valueTerms, effort)));
      embedded.push(...validateEmbedded(part, this.#valueTerms));
    }
    return [...repeated, ...embedded];
  }

  /** Validates an object by schema and rules. */
  #judge(
    object: ApiObject,
    old: ApiObject | undefined,
    finding: Work<FieldError[]>,
  ): Promise<void> | undefined {
    const wrong = runWork(finding);
    return wrong instanceof Promise
      ? wrong.then((found) => this.#askRules(object, old, found))
      : this.#askRules(object, old, wrong);
  }

  #askRules(
    object: ApiObject,
    old: ApiObject | undefined,
    errors: readonly FieldError[],
  ): Promise<void> | undefined {
    const rules = this.#rulesOrNone();
    if (rules) {
      const judging = rules.judge(object, old, errors);
      return judging.then((verdict) => void this.#verdicts.set(object, verdict));
    }
    this.#verdicts.set(object, { errors, warnings: [] });
    return undefined;
  }

  #rulesOrNone(): CustomRules | null {
    if (this.#rules === undefined) {
      const terms = this.#valueTerms;
      const schema = this.#openApi;
      const version = { ...this.#version, schema: { openAPIV3Schema: schema } };
      this.#rules = hasRules(schema, terms)
        ? new CustomRules(version, schema, terms, this.#tools.compiler)
        : null;
    }
    return this.#rules;
  }

  /** Of an object that has been judged. */
  #verdictOn(object: ApiObject): Verdict {
    const verdict = this.#verdicts.get(object);
    if (!verdict) throw new Error('the object was not validated before it was accepted or rejected');
    return verdict;
  }

  #isSameButMetadata(one: ApiObject, other: ApiObject): boolean {
    const bare = { metadata: {} };
    return isSame(this.schema, { ...one, ...bare }, { ...other, ...bare });
  }
}

function notWhileEnding({ group, plural }: CustomKind): ApiError {
  const why = 'create not allowed while custom resource definition is terminating';
  return new ApiError(405, 'MethodNotAllowed', why, { group, kind: plural });
}

function keep(object: ApiObject, old: ApiObject, field: string): void {
  if (old[field] === undefined) delete object[field];
  else object[field] = old[field];
}

function selectedText(object: ApiObject, path: JsonPath | undefined): string {
  const [value] = path?.find(asJson(object)) ?? [];
  return value === undefined || value === null ? '' : String(value);
}
