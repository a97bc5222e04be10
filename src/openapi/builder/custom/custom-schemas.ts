// Schemas that the paths of a custom resource refer to.
import { extensionNames } from '../../../apis/apiextensions/json-schema.ts';
import { Scale } from '../../../apis/autoscaling/scale.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { DeleteOptions } from '../../../kind/meta/delete-options.ts';
import { ListMeta } from '../../../kind/meta/list-meta.ts';
import { ObjectMeta } from '../../../kind/meta/object-meta.ts';
import { Status } from '../../../kind/meta/status.ts';
import { typeMeta } from '../../../kind/meta/type-meta.ts';
import type { ServedKind, ServedResource } from '../../../kind/registry.ts';
import type { Struct } from '../../../schema/struct.ts';
import type { Schema } from '../document.ts';
import { Patch } from '../meta-types.ts';
import { listDescription, listMetadataDescription, refPrefix, type SchemaRefs, Schemas } from '../schemas.ts';
import { type CommonProperties, publishedSchema } from './published-schema.ts';

/** The schemas of custom resources by name. */
export class CustomSchemas implements SchemaRefs {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  refTo(type: Struct<unknown>): Schema {
    return { $ref: refPrefix + this.#dialect.schemaName(type.fullName) };
  }

  refToKind(kind: ServedKind): Schema {
    return kind.definition.isCustom
      ? { $ref: refPrefix + schemaName(kind, kind.kind) }
      : this.refTo(kind.definition.schema);
  }

  refToList(kind: ServedKind): Schema {
    return { $ref: refPrefix + schemaName(kind, listKindOf(kind)) };
  }

  /** The schemas of a custom resource and its list. */
  schemasOf(resource: ServedResource, version: 2 | 3): Record<string, Schema> {
    return {
      [schemaName(resource, resource.kind)]: this.#object(resource, version),
      [schemaName(resource, listKindOf(resource))]: this.#list(resource),
    };
  }

  #object(resource: ServedResource, version: 2 | 3): Schema {
    const names = extensionNames(this.#dialect);
    const schema = resource.definition.published?.schema() ?? {};
    const extensions = this.#extensions(resource, resource.kind);
    // OpenAPI v2 cannot express that an object may have unspecified fields.
    if (version === 2 && schema[names.preserveUnknownFields] === true)
      return { type: 'object', ...extensions };
    const common = this.#commonProperties();
    const { properties, ...rest } = publishedSchema(schema, { names, version, embedded: common });
    return { ...rest, properties: { ...properties, ...common }, ...extensions };
  }

  #list(resource: ServedResource): Schema {
    return {
      description: listDescription(resource.kind),
      type: 'object',
      required: ['items'],
      properties: {
        ...this.#typeMetaProperties(),
        items: { description: 'The objects.', type: 'array', items: this.refToKind(resource) },
        metadata: { description: listMetadataDescription, allOf: [this.refTo(ListMeta)] },
      },
      ...this.#extensions(resource, listKindOf(resource)),
    };
  }

  #extensions({ group, version, definition }: ServedResource, kind: string): Schema {
    const { extensionPrefix: prefix } = this.#dialect;
    const fields = definition.selectableFieldNames ?? [];
    return {
      [`${prefix}group-version-kind`]: [{ group, kind, version }],
      ...(fields.length > 0 && {
        [`${prefix}selectable-fields`]: fields.map((fieldPath) => ({ fieldPath })),
      }),
    };
  }

  #commonProperties(): CommonProperties {
    const description = 'The standard object metadata.';
    return { ...this.#typeMetaProperties(), metadata: { description, allOf: [this.refTo(ObjectMeta)] } };
  }

  #typeMetaProperties(): Pick<CommonProperties, 'apiVersion' | 'kind'> {
    const { apiVersion, kind } = typeMeta;
    return {
      apiVersion: { description: apiVersion.doc, type: 'string' },
      kind: { description: kind.doc, type: 'string' },
    };
  }
}

/** The built-in schemas that custom resources refer to. */
export function builtInSchemasForCustomResources(
  dialect: Dialect,
  { hasScale, publishEnums }: { readonly hasScale: boolean; readonly publishEnums: boolean },
): Readonly<Record<string, Schema>> {
  const schemas = new Schemas(dialect, publishEnums, { forCustomResources: true });
  const roots = [DeleteOptions, ListMeta, ObjectMeta, Patch, Status, ...(hasScale ? [Scale] : [])];
  for (const root of roots) schemas.refTo(root);
  return schemas.all() ?? {};
}

const listKindOf = ({ definition, kind }: ServedKind) => definition.listKind ?? `${kind}List`;

/** The name of a custom schema: `com.example.v1.Widget`. */
function schemaName({ group, version }: ServedKind, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}
