// OpenAPI v3 documents as Protobuf (gnostic openapiv3).
import type { Document, PathItem } from '../document.ts';
import type { DocumentEncoding, Frame3 } from '../document-encoding.ts';
import {
  additionalPropertiesField,
  boolField,
  defaultField,
  doubleField,
  encodeMessage,
  extensionsField,
  fieldHeader,
  intField,
  type Message,
  mapField,
  message,
  messageField,
  oneOfMessage,
  repeatedAnyField,
  repeatedMessageField,
  repeatedStringField,
  stringField,
} from './message.ts';

/** The messages of gnostic's `openapi_v3`, as far as documents of the API need them. */

const reference = message({ $ref: stringField(1) });

/** A oneof of the message and a reference to it. */
function orReference(type: Message): Message {
  return oneOfMessage((value) => (value.$ref === undefined ? [1, type] : [2, reference]));
}

const schema: Message = (writer, value) => schemaFields(writer, value);
const schemaOrReference = orReference(schema);
/** An array of one schema. */
const onlySchema: Message = oneOfMessage(() => [1, schemaOrReference]);
const namedSchemas: Message = entriesOf(schemaOrReference);

const schemaFields = message({
  nullable: boolField(1),
  title: stringField(9),
  multipleOf: doubleField(10),
  maximum: doubleField(11),
  exclusiveMaximum: boolField(12),
  minimum: doubleField(13),
  exclusiveMinimum: boolField(14),
  maxLength: intField(15),
  minLength: intField(16),
  pattern: stringField(17),
  maxItems: intField(18),
  minItems: intField(19),
  uniqueItems: boolField(20),
  maxProperties: intField(21),
  minProperties: intField(22),
  required: repeatedStringField(23),
  enum: repeatedAnyField(24),
  type: stringField(25),
  allOf: repeatedMessageField(26, schemaOrReference),
  oneOf: repeatedMessageField(27, schemaOrReference),
  anyOf: repeatedMessageField(28, schemaOrReference),
  not: messageField(29, schema),
  items: messageField(30, onlySchema),
  properties: messageField(31, namedSchemas),
  additionalProperties: additionalPropertiesField(32, schemaOrReference),
  default: defaultField(33),
  description: stringField(34),
  format: stringField(35),
  extensions: extensionsField(36),
});

const content = entriesOf(message({ schema: messageField(1, schemaOrReference) }));

const parameter = orReference(
  message({
    name: stringField(1),
    in: stringField(2),
    description: stringField(3),
    required: boolField(4),
    schema: messageField(10, schemaOrReference),
  }),
);

const responses = message({
  // No field of the object: writes every response, by status code.
  all: (writer, _, parent) =>
    mapField(2, orReference(message({ description: stringField(1), content: messageField(3, content) })))(
      writer,
      parent,
      parent,
    ),
});

const operation = message({
  tags: repeatedStringField(1),
  description: stringField(3),
  operationId: stringField(5),
  parameters: repeatedMessageField(6, parameter),
  requestBody: messageField(
    7,
    orReference(message({ content: messageField(2, content), required: boolField(3) })),
  ),
  responses: messageField(8, responses),
  extensions: extensionsField(13),
});

const pathItem = message({
  get: messageField(4, operation),
  put: messageField(5, operation),
  post: messageField(6, operation),
  delete: messageField(7, operation),
  options: messageField(8, operation),
  head: messageField(9, operation),
  patch: messageField(10, operation),
  parameters: repeatedMessageField(13, parameter),
});

const securityScheme = orReference(
  message({ type: stringField(1), description: stringField(2), name: stringField(3), in: stringField(4) }),
);

const frameFields = {
  openapi: stringField(1),
  info: messageField(2, message({ title: stringField(1), version: stringField(6) })),
};
const frameStart = message(frameFields);

const document = message({
  ...frameFields,
  paths: messageField(4, entriesOf(pathItem)),
  components: messageField(
    5,
    message({
      schemas: messageField(1, namedSchemas),
      securitySchemes: messageField(7, entriesOf(securityScheme)),
    }),
  ),
});

function entriesOf(type: Message): Message {
  return (writer, value) => mapField(1, type)(writer, value, value);
}

export function version3ToProtobuf(value: Document): Buffer {
  return encodeMessage(document, value);
}

export const protobuf3: DocumentEncoding<PathItem, Frame3> = {
  paths: (paths) => encodeMessage(entriesOf(pathItem), paths),
  schemas: (schemas) => encodeMessage(namedSchemas, schemas),
  separator: Buffer.alloc(0),
  encodeFrame: (frame, pathsLength, schemasLength) => {
    const components = fieldHeader(1, schemasLength);
    return {
      before: Buffer.concat([encodeMessage(frameStart, frame), fieldHeader(4, pathsLength)]),
      between: Buffer.concat([fieldHeader(5, components.length + schemasLength), components]),
      after: Buffer.alloc(0),
    };
  },
};
