// The schema of JSONSchemaProps, with the x-kubernetes extensions.
import type { Dialect } from '../../dialect/dialect.ts';
import { list, mapOf } from '../../schema/collections.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { json } from '../../schema/raw.ts';
import { bool, documentedEnum, double, int64, named, string } from '../../schema/scalars.ts';
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
    description: field(1, string, { doc: 'What is found there.' }),
    url: field(2, string, { doc: 'Where it is found.' }),
  },
  { doc: 'A page elsewhere that says more.' },
);

export const ValidationRule = struct(
  'apiextensions/v1.ValidationRule',
  {
    rule: field(1, string, {
      required: true,
      doc: 'A CEL expression that is true of every valid value. `self` is the value at this place of the schema, `oldSelf` what it was before.',
    }),
    message: field(2, string, {
      doc: 'What to say when the rule is broken. Without it the rule itself is shown.',
    }),
    messageExpression: field(3, string, {
      doc: 'A CEL expression whose text is said when the rule is broken, before `message` is thought of.',
    }),
    reason: field(
      4,
      optional(
        named(
          'apiextensions/v1.FieldValueErrorReason',
          documentedEnum(
            'FieldValueRequired',
            'FieldValueDuplicate',
            'FieldValueInvalid',
            'FieldValueForbidden',
          ),
        ),
      ),
      { doc: 'What kind of mistake it is to break the rule; FieldValueInvalid unless said otherwise.' },
    ),
    fieldPath: field(5, string, {
      doc: 'The field, seen from here, that the mistake is reported for: `.spec.name`.',
    }),
    optionalOldSelf: field(6, optional(bool), {
      doc: 'A rule about `oldSelf` is also asked of values that are new; `oldSelf` is then an optional.',
    }),
  },
  { doc: 'Something that must hold of a value, in CEL.' },
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

/** Whether any of the schemas of what lies in a value is so. There may be tens of thousands. */
export function someInner(
  { properties, items, additionalProperties }: JSONSchemaProps,
  is: (inner: JSONSchemaProps) => boolean,
): boolean {
  for (const name in properties) if (is(properties[name]!)) return true;
  if (items && !Array.isArray(items) && is(items)) return true;
  return typeof additionalProperties === 'object' && is(additionalProperties);
}

/** All of those. */
export function innerOf(schema: JSONSchemaProps): JSONSchemaProps[] {
  const inner: JSONSchemaProps[] = [];
  someInner(schema, (each) => {
    inner.push(each);
    return false;
  });
  return inner;
}

export function jsonSchemaProps(dialect: Dialect): Struct<JSONSchemaProps> {
  return recursive<JSONSchemaProps>(
    'apiextensions/v1.JSONSchemaProps',
    (self) => ({ ...standardFields(self), ...extensionFields(dialect) }),
    {
      doc: 'JSON Schema, draft 4, without what a structural schema cannot have, and with what custom resources need beyond it.',
    },
  );
}

function standardFields(self: Struct<JSONSchemaProps>) {
  const schemas = list(self, { type: 'atomic' });
  const orBool = union(
    'apiextensions/v1.JSONSchemaPropsOrBool',
    { allows: { number: 1, type: bool, beside: true }, schema: { number: 2, type: self } },
    { refusal: 'boolean or JSON schema expected' },
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
    $ref: field(3, optional(string), { doc: 'Not supported: schemas are written out in full.' }),
    description: field(4, string, { doc: 'What the value is for.' }),
    type: field(5, string, { doc: 'array, boolean, integer, number, object or string.' }),
    format: field(6, string, {
      doc:
        'How a text or number is to be read. Checked are bsonobjectid, uri, email, hostname, ipv4, ipv6, cidr, mac, uuid, uuid3, ' +
        'uuid4, uuid5, isbn, isbn10, isbn13, creditcard, ssn, hexcolor, rgbcolor, byte, password, date, duration and datetime; ' +
        'others say something to people only.',
    }),
    title: field(7, string, { doc: 'A heading for the description.' }),
    default: field(8, optional(json), { doc: 'What the value is where none is given.' }),
    maximum: field(9, optional(double), { doc: 'The largest number allowed.' }),
    exclusiveMaximum: field(10, bool, { doc: 'The maximum itself is already too large.' }),
    minimum: field(11, optional(double), { doc: 'The smallest number allowed.' }),
    exclusiveMinimum: field(12, bool, { doc: 'The minimum itself is already too small.' }),
    maxLength: field(13, optional(int64), { doc: 'How many characters a text may have.' }),
    minLength: field(14, optional(int64), { doc: 'How many characters a text must have.' }),
    pattern: field(15, string, { doc: 'A regular expression (RE2) that a text must match somewhere.' }),
    maxItems: field(16, optional(int64), { doc: 'How many items a list may have.' }),
    minItems: field(17, optional(int64), { doc: 'How many items a list must have.' }),
    uniqueItems: field(18, bool, { doc: 'Must not be true: use a list type instead.' }),
    multipleOf: field(19, optional(double), { doc: 'A number must be a multiple of this.' }),
    enum: field(20, list(json, { type: 'atomic' }), { doc: 'The values allowed.' }),
    maxProperties: field(21, optional(int64), { doc: 'How many keys an object may have.' }),
    minProperties: field(22, optional(int64), { doc: 'How many keys an object must have.' }),
    required: field(23, list(string, { type: 'atomic' }), { doc: 'The properties that must be there.' }),
    items: field(24, optional(orArray), {
      doc: 'What the items of a list are like: one schema for all of them.',
    }),
    allOf: field(25, schemas, { doc: 'The value must also be valid for each of these.' }),
    oneOf: field(26, schemas, { doc: 'The value must also be valid for just one of these.' }),
    anyOf: field(27, schemas, { doc: 'The value must also be valid for at least one of these.' }),
    not: field(28, optional(self), { doc: 'The value must not be valid for this.' }),
    properties: field(29, mapOf(self), { doc: 'The properties of an object by their names.' }),
    additionalProperties: field(30, optional(orBool), {
      doc: 'What the values of a map with any keys are like, or whether there may be any. It goes without `properties`.',
    }),
    patternProperties: field(31, mapOf(self), { doc: 'Not supported.' }),
    dependencies: field(32, mapOf(orStringArray, { name: 'v1.JSONSchemaDependencies' }), {
      doc: 'Not supported.',
    }),
    additionalItems: field(33, optional(orBool), { doc: 'Not supported.' }),
    definitions: field(34, mapOf(self, { name: 'v1.JSONSchemaDefinitions' }), { doc: 'Not supported.' }),
    externalDocs: field(35, optional(ExternalDocumentation), { doc: 'Where more is said.' }),
    example: field(36, optional(json), { doc: 'What the value may look like.' }),
    nullable: field(37, bool, { doc: 'null is a value too.' }),
  };
}

function extensionFields(dialect: Dialect): Fields {
  const names = extensionNames(dialect);
  return {
    [names.preserveUnknownFields]: field(38, optional(bool), {
      doc: 'True: fields that the schema does not know are kept here and below, until `properties` says otherwise. It is never false.',
    }),
    [names.embeddedResource]: field(39, bool, {
      doc: 'The value is an object of the API with apiVersion, kind and metadata.',
    }),
    [names.intOrString]: field(40, bool, { doc: 'The value is a whole number or a text.' }),
    [names.listMapKeys]: field(41, list(string, { type: 'atomic' }), {
      doc: 'The fields whose values tell the items of a list of type map apart. They are scalars, and required or defaulted.',
    }),
    [names.listType]: field(42, optional(string), {
      doc: 'How two versions of a list are merged: atomic (one replaces the other), set (of scalars) or map (by keys).',
    }),
    [names.mapType]: field(43, optional(string), {
      doc: 'How two versions of an object are merged: granular (field by field) or atomic (one replaces the other).',
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
      { doc: 'Rules in CEL that the value must keep.' },
    ),
  };
}
