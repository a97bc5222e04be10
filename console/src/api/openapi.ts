// The schema of a kind from OpenAPI v3, with references resolved as far as a view opens them.
import type { Kind } from './discovery.ts';
import type { Session } from './session.ts';

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const documents = new Map<string, Promise<OpenApiDocument>>();

/** The schemas of one group version. */
export class SchemaSource {
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(document: OpenApiDocument) {
    this.#schemas = document.components?.schemas ?? {};
  }

  /** The schema of a kind; undefined if the document has none, such as for a CRD that accepts anything. */
  find({ group, version, kind }: Kind): Schema | undefined {
    return Object.values(this.#schemas).find((schema) =>
      gvksOf(schema).some((each) => each.group === group && each.version === version && each.kind === kind),
    );
  }

  /** Follows `$ref`, also in `allOf` where it has a description or default beside it. */
  resolve(schema: Schema): Schema {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
    if (reference === undefined) return schema;
    const target = this.#schemas[decodeURIComponent(reference.replace(/^.*\//, ''))] ?? {};
    const { $ref: _, allOf: __, ...own } = schema;
    return { ...this.resolve(target), ...own };
  }
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `x-orch-group-version-kind`, or `x-kubernetes-…`, by the dialect. */
function gvksOf(schema: Schema): readonly GroupVersionKind[] {
  const entry = Object.entries(schema).find(([key]) => /^x-.*-group-version-kind$/.test(key));
  return (entry?.[1] as readonly GroupVersionKind[] | undefined) ?? [];
}

export async function readSchemas(session: Session, { group, version }: Kind): Promise<SchemaSource> {
  const path = group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`;
  let document = documents.get(path);
  if (!document) {
    document = session.json<OpenApiDocument>(path);
    documents.set(path, document);
    document.catch(() => documents.delete(path));
  }
  return new SchemaSource(await document);
}
