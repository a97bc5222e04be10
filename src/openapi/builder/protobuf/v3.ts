// OpenAPI v3 documents as Protobuf (gnostic openapiv3).
import type { Document, PathItem } from '../document.ts';
import type { Encoding, Frame3 } from '../document-encoding.ts';
import {
  additionalSchema,
  anyValues,
  defaultValue,
  double,
  either,
  entries,
  extensions,
  flag,
  int,
  type Message,
  message,
  opening,
  part,
  parts,
  text,
  texts,
  written,
} from './message.ts';

/** The messages of gnostic's `openapi_v3`, as far as documents of the API need them. */

const reference = message({ $ref: text(1) });

/** Either the thing itself, or a reference to it. */
function orReference(type: Message): Message {
  return either((value) => (value.$ref === undefined ? [1, type] : [2, reference]));
}

const schema: Message = (writer, value) => schemaFields(writer, value);
const schemaOrReference = orReference(schema);
/** An array of one schema. */
const onlySchema: Message = either(() => [1, schemaOrReference]);
const namedSchemas: Message = entriesOf(schemaOrReference);

const schemaFields = message({
  nullable: flag(1),
  title: text(9),
  multipleOf: double(10),
  maximum: double(11),
  exclusiveMaximum: flag(12),
  minimum: double(13),
  exclusiveMinimum: flag(14),
  maxLength: int(15),
  minLength: int(16),
  pattern: text(17),
  maxItems: int(18),
  minItems: int(19),
  uniqueItems: flag(20),
  maxProperties: int(21),
  minProperties: int(22),
  required: texts(23),
  enum: anyValues(24),
  type: text(25),
  allOf: parts(26, schemaOrReference),
  oneOf: parts(27, schemaOrReference),
  anyOf: parts(28, schemaOrReference),
  not: part(29, schema),
  items: part(30, onlySchema),
  properties: part(31, namedSchemas),
  additionalProperties: additionalSchema(32, schemaOrReference),
  default: defaultValue(33),
  description: text(34),
  format: text(35),
  extensions: extensions(36),
});

const content = entriesOf(message({ schema: part(1, schemaOrReference) }));

const parameter = orReference(
  message({
    name: text(1),
    in: text(2),
    description: text(3),
    required: flag(4),
    schema: part(10, schemaOrReference),
  }),
);

const responses = message({
  all: (writer, _, all) =>
    entries(2, orReference(message({ description: text(1), content: part(3, content) })))(writer, all, all),
});

const operation = message({
  tags: texts(1),
  description: text(3),
  operationId: text(5),
  parameters: parts(6, parameter),
  requestBody: part(7, orReference(message({ content: part(2, content), required: flag(3) }))),
  responses: part(8, responses),
  extensions: extensions(13),
});

const pathItem = message({
  get: part(4, operation),
  put: part(5, operation),
  post: part(6, operation),
  delete: part(7, operation),
  options: part(8, operation),
  head: part(9, operation),
  patch: part(10, operation),
  parameters: parts(13, parameter),
});

const securityScheme = orReference(
  message({ type: text(1), description: text(2), name: text(3), in: text(4) }),
);

const beginningFields = {
  openapi: text(1),
  info: part(2, message({ title: text(1), version: text(6) })),
};
const beginning = message(beginningFields);

const document = message({
  ...beginningFields,
  paths: part(4, entriesOf(pathItem)),
  components: part(
    5,
    message({ schemas: part(1, namedSchemas), securitySchemes: part(7, entriesOf(securityScheme)) }),
  ),
});

function entriesOf(type: Message): Message {
  return (writer, value) => entries(1, type)(writer, value, value);
}

export function version3ToProtobuf(value: Document): Buffer {
  return written(document, value);
}

export const protobuf3: Encoding<PathItem, Frame3> = {
  paths: (paths) => written(entriesOf(pathItem), paths),
  schemas: (schemas) => written(namedSchemas, schemas),
  separator: Buffer.alloc(0),
  around: (frame, pathsLength, schemasLength) => {
    const components = opening(1, schemasLength);
    return {
      before: Buffer.concat([written(beginning, frame), opening(4, pathsLength)]),
      between: Buffer.concat([opening(5, components.length + schemasLength), components]),
      after: Buffer.alloc(0),
    };
  },
};
