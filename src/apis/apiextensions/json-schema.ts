// CustomResourceDefinition: the schema of JSONSchemaProps with the x-kubernetes extensions, and helpers to read it. Field
// numbers are those of protobuf.
import type { Dialect } from '../../dialect/dialect.ts';
import { json, list, mapOf } from '../../schema/collections.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { bool, double, int64, named, publishedEnum, string } from '../../schema/scalars.ts';
import {
  type Fields,
  field,
  type Infer,
  optional,
  recursive,
  type Struct,
  struct,
} from '../../schema/struct.ts';
import { union } from '../../schema/union.ts';

/** The schema of a custom resource or of a part of one. `extensionsOf` reads the x-kubernetes extensions. */
export type JSONSchemaProps = JsonSchema;

const ExternalDocumentation = struct(
  'apiextensions/v1.ExternalDocumentation',
  {
    description: field(1, string, { doc: 'A description of the documentation.' }),
    url: field(2, string, { doc: 'The URL of the documentation.' }),
  },
  { doc: 'A link to external documentation.' },
);

export const ValidationRule = struct(
  'apiextensions/v1.ValidationRule',
  {
    rule: field(1, string, {
      required: true,
      doc: 'A CEL expression that is true for valid values. `self` is the value at this schema node, `oldSelf` the old value.',
    }),
    message: field(2, string, {
      doc: 'The message of a violation. Defaults to the rule itself.',
    }),
    messageExpression: field(3, string, {
      doc: 'A CEL expression that returns the message of a violation; it overrides `message`.',
    }),
    reason: field(
      4,
      optional(
        named(
          'apiextensions/v1.FieldValueErrorReason',
          publishedEnum(
            'FieldValueRequired',
            'FieldValueDuplicate',
            'FieldValueInvalid',
            'FieldValueForbidden',
          ),
        ),
      ),
      { doc: 'The error reason of a violation. Defaults to FieldValueInvalid.' },
    ),
    fieldPath: field(5, string, {
      doc: 'The relative path of the field that a violation is reported for, such as `.spec.name`.',
    }),
    optionalOldSelf: field(6, optional(bool), {
      doc: 'Evaluates a transition rule on create too. `oldSelf` is then a CEL optional.',
    }),
  },
  { doc: 'A CEL validation rule.' },
);
export type ValidationRule = Infer<typeof ValidationRule>;

/** The extensions to JSON Schema, whose prefix depends on the dialect. */
export interface SchemaExtensions {
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listMapKeys: readonly string[];
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly validations: readonly ValidationRule[];
}

/** The field names of the extensions in a schema, such as `x-kubernetes-list-type`. */
export type ExtensionNames = { readonly [K in keyof SchemaExtensions]: string };

export function extensionNames({ extensionPrefix: prefix }: Dialect): ExtensionNames {
  return {
    preserveUnknownFields: `${prefix}preserve-unknown-fields`,
    embeddedResource: `${prefix}embedded-resource`,
    intOrString: `${prefix}int-or-string`,
    listMapKeys: `${prefix}list-map-keys`,
    listType: `${prefix}list-type`,
    mapType: `${prefix}map-type`,
    validations: `${prefix}validations`,
  };
}

export function extensionsOf(schema: JSONSchemaProps, names: ExtensionNames): SchemaExtensions {
  return {
    preserveUnknownFields: schema[names.preserveUnknownFields] as boolean | undefined,
    embeddedResource: schema[names.embeddedResource] === true,
    intOrString: schema[names.intOrString] === true,
    listMapKeys: (schema[names.listMapKeys] as string[] | undefined) ?? [],
    listType: schema[names.listType] as string | undefined,
    mapType: schema[names.mapType] as string | undefined,
    validations: (schema[names.validations] as ValidationRule[] | undefined) ?? [],
  };
}

/** Whether the predicate holds for any direct subschema. Does not build a list, since there may be tens of thousands. */
export function someSubschema(
  { properties, items, additionalProperties }: JSONSchemaProps,
  predicate: (inner: JSONSchemaProps) => boolean,
): boolean {
  for (const name in properties) if (predicate(properties[name]!)) return true;
  if (items && !Array.isArray(items) && predicate(items)) return true;
  return typeof additionalProperties === 'object' && predicate(additionalProperties);
}

/** The direct subschemas: properties, items and additionalProperties. */
export function childSchemas(schema: JSONSchemaProps): JSONSchemaProps[] {
  const children: JSONSchemaProps[] = [];
  someSubschema(schema, (child) => {
    children.push(child);
    return false;
  });
  return children;
}

export function jsonSchemaProps(dialect: Dialect): Struct<JSONSchemaProps> {
  return recursive<JSONSchemaProps>(
    'apiextensions/v1.JSONSchemaProps',
    (self) => ({ ...standardFields(self), ...extensionFields(dialect) }),
    {
      doc: 'A JSON Schema (draft 4) as restricted for structural schemas, with the extensions for custom resources.',
    },
  );
}

function standardFields(self: Struct<JSONSchemaProps>) {
  const schemas = list(self, { type: 'atomic' });
  const orBool = union(
    'apiextensions/v1.JSONSchemaPropsOrBool',
    { allows: { number: 1, type: bool, beside: true }, schema: { number: 2, type: self } },
    { mismatchError: 'boolean or JSON schema expected' },
  );
  const orArray = union('apiextensions/v1.JSONSchemaPropsOrArray', {
    schema: { number: 1, type: self },
    jSONSchemas: { number: 2, type: schemas },
  });
  const orStringArray = union('apiextensions/v1.JSONSchemaPropsOrStringArray', {
    schema: { number: 1, type: self },
    property: { number: 2, type: list(string, { type: 'atomic' }) },
  });
  return {
    id: field(1, string, { doc: 'Not supported.' }),
    $schema: field(2, named('apiextensions/v1.JSONSchemaURL', string), { doc: 'Not supported.' }),
    $ref: field(3, optional(string), { doc: 'Not supported: schemas must be inlined.' }),
    description: field(4, string, { doc: 'A description of the value.' }),
    type: field(5, string, { doc: 'array, boolean, integer, number, object or string.' }),
    format: field(6, string, {
      doc:
        'The format of a string or number. The server validates bsonobjectid, uri, email, hostname, ipv4, ipv6, cidr, mac, uuid, uuid3, ' +
        'uuid4, uuid5, isbn, isbn10, isbn13, creditcard, ssn, hexcolor, rgbcolor, byte, password, date, duration and datetime; ' +
        'other formats are informative.',
    }),
    title: field(7, string, { doc: 'The title of the schema.' }),
    default: field(8, optional(json), { doc: 'The default value.' }),
    maximum: field(9, optional(double), { doc: 'The maximum of a number.' }),
    exclusiveMaximum: field(10, bool, { doc: 'Whether the maximum is exclusive.' }),
    minimum: field(11, optional(double), { doc: 'The minimum of a number.' }),
    exclusiveMinimum: field(12, bool, { doc: 'Whether the minimum is exclusive.' }),
    maxLength: field(13, optional(int64), { doc: 'The maximum length of a string in characters.' }),
    minLength: field(14, optional(int64), { doc: 'The minimum length of a string in characters.' }),
    pattern: field(15, string, {
      doc: 'A regular expression (RE2) that a string must match. It is not anchored.',
    }),
    maxItems: field(16, optional(int64), { doc: 'The maximum number of items in a list.' }),
    minItems: field(17, optional(int64), { doc: 'The minimum number of items in a list.' }),
    uniqueItems: field(18, bool, { doc: 'Must not be true: use a list type instead.' }),
    multipleOf: field(19, optional(double), { doc: 'A number must be a multiple of this.' }),
    enum: field(20, list(json, { type: 'atomic' }), { doc: 'The allowed values.' }),
    maxProperties: field(21, optional(int64), { doc: 'The maximum number of properties in an object.' }),
    minProperties: field(22, optional(int64), { doc: 'The minimum number of properties in an object.' }),
    required: field(23, list(string, { type: 'atomic' }), { doc: 'The required properties.' }),
    items: field(24, optional(orArray), {
      doc: 'The schema of the items of a list. There is one schema for all items.',
    }),
    allOf: field(25, schemas, { doc: 'The value must be valid for all of these schemas too.' }),
    oneOf: field(26, schemas, { doc: 'The value must be valid for exactly one of these schemas too.' }),
    anyOf: field(27, schemas, { doc: 'The value must be valid for at least one of these schemas too.' }),
    not: field(28, optional(self), { doc: 'The value must not be valid for this schema.' }),
    properties: field(29, mapOf(self), { doc: 'The schemas of the properties by name.' }),
    additionalProperties: field(30, optional(orBool), {
      doc: 'The schema of the values of a map, or whether arbitrary keys are allowed. Mutually exclusive with `properties`.',
    }),
    patternProperties: field(31, mapOf(self), { doc: 'Not supported.' }),
    dependencies: field(32, mapOf(orStringArray, { name: 'v1.JSONSchemaDependencies' }), {
      doc: 'Not supported.',
    }),
    additionalItems: field(33, optional(orBool), { doc: 'Not supported.' }),
    definitions: field(34, mapOf(self, { name: 'v1.JSONSchemaDefinitions' }), { doc: 'Not supported.' }),
    externalDocs: field(35, optional(ExternalDocumentation), { doc: 'A link to external documentation.' }),
    example: field(36, optional(json), { doc: 'An example value.' }),
    nullable: field(37, bool, { doc: 'Whether null is allowed.' }),
  };
}

function extensionFields(dialect: Dialect): Fields {
  const names = extensionNames(dialect);
  return {
    [names.preserveUnknownFields]: field(38, optional(bool), {
      doc: 'True preserves unknown fields here and below, until nested `properties` specify otherwise. False is not allowed.',
    }),
    [names.embeddedResource]: field(39, bool, {
      doc: 'The value is an embedded API object with apiVersion, kind and metadata.',
    }),
    [names.intOrString]: field(40, bool, { doc: 'The value is an integer or a string.' }),
    [names.listMapKeys]: field(41, list(string, { type: 'atomic' }), {
      doc: 'The key fields of the items in a list of type map. They must be scalars, and required or defaulted.',
    }),
    [names.listType]: field(42, optional(string), {
      doc: 'The merge strategy of a list: atomic (replaced as a whole), set (of scalars) or map (merged by key).',
    }),
    [names.mapType]: field(43, optional(string), {
      doc: 'The merge strategy of an object: granular (merged by field) or atomic (replaced as a whole).',
    }),
    [names.validations]: field(
      44,
      list(ValidationRule, {
        name: 'apiextensions/v1.ValidationRules',
        type: 'map',
        keys: ['rule'],
        patch: 'merge',
        patchKey: 'rule',
      }),
      { doc: 'CEL validation rules for the value.' },
    ),
  };
}
