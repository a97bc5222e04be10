// OpenAPI v2 documents as Protobuf (gnostic openapiv2).
import type { DocumentEncoding, Frame2 } from '../document-encoding.ts';
import type { PathItem2 } from '../v2.ts';
import {
  additionalPropertiesField,
  boolField,
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

/** The messages of gnostic's `openapi_v2`, as far as documents of the API need them. */

const schema: Message = (writer, value) => schemaFields(writer, value);
const onlySchema: Message = oneOfMessage(() => [1, schema]);
const namedSchemas = entriesOf(1, schema);
/** gnostic's TypeItem: a list with one type name. */
const typeName = (number: number) =>
  messageField(number, (writer, value) => repeatedStringField(1)(writer, [value], {}));

const schemaFields = message({
  $ref: stringField(1),
  format: stringField(2),
  title: stringField(3),
  description: stringField(4),
  multipleOf: doubleField(6),
  maximum: doubleField(7),
  exclusiveMaximum: boolField(8),
  minimum: doubleField(9),
  exclusiveMinimum: boolField(10),
  maxLength: intField(11),
  minLength: intField(12),
  pattern: stringField(13),
  maxItems: intField(14),
  minItems: intField(15),
  uniqueItems: boolField(16),
  maxProperties: intField(17),
  minProperties: intField(18),
  required: repeatedStringField(19),
  enum: repeatedAnyField(20),
  additionalProperties: additionalPropertiesField(21, schema),
  type: typeName(22),
  items: messageField(23, onlySchema),
  properties: messageField(25, namedSchemas),
  extensions: extensionsField(31),
});

const bodyParameter = message({
  description: stringField(1),
  name: stringField(2),
  in: stringField(3),
  required: boolField(4),
  schema: messageField(5, schema),
});
const queryParameter = message({
  required: boolField(1),
  in: stringField(2),
  description: stringField(3),
  name: stringField(4),
  type: stringField(6),
  uniqueItems: boolField(20),
});
const pathParameter = message({
  required: boolField(1),
  in: stringField(2),
  description: stringField(3),
  name: stringField(4),
  type: stringField(5),
  uniqueItems: boolField(19),
});
const otherParameter = oneOfMessage((value) =>
  value.in === 'path' ? [4, pathParameter] : [3, queryParameter],
);
const parameter = oneOfMessage((value) => (value.in === 'body' ? [1, bodyParameter] : [2, otherParameter]));
const parameterOrReference = oneOfMessage((value) =>
  value.$ref === undefined ? [1, parameter] : [2, message({ $ref: stringField(1) })],
);

const response = oneOfMessage(() => [
  1,
  message({ description: stringField(1), schema: messageField(2, onlySchema) }),
]);

const operation = message({
  tags: repeatedStringField(1),
  description: stringField(3),
  operationId: stringField(5),
  produces: repeatedStringField(6),
  consumes: repeatedStringField(7),
  parameters: repeatedMessageField(8, parameterOrReference),
  responses: messageField(9, entriesOf(1, response)),
  schemes: repeatedStringField(10),
  extensions: extensionsField(13),
});

const pathItem = message({
  get: messageField(2, operation),
  put: messageField(3, operation),
  post: messageField(4, operation),
  delete: messageField(5, operation),
  options: messageField(6, operation),
  head: messageField(7, operation),
  patch: messageField(8, operation),
  parameters: repeatedMessageField(9, parameterOrReference),
});

const securityDefinition = oneOfMessage(() => [
  2,
  message({ type: stringField(1), name: stringField(2), in: stringField(3), description: stringField(4) }),
]);

const pathEntries = entriesOf(2, pathItem);

const frameStart = message({
  swagger: stringField(1),
  info: messageField(2, message({ title: stringField(1), version: stringField(2) })),
});
const frameEnd = message({
  parameters: messageField(10, entriesOf(1, parameter)),
  security: repeatedMessageField(
    12,
    entriesOf(1, (writer, value) => repeatedStringField(1)(writer, value, {})),
  ),
  securityDefinitions: messageField(13, entriesOf(1, securityDefinition)),
});

function entriesOf(number: number, type: Message): Message {
  return (writer, value) => mapField(number, type)(writer, value, value);
}

export const protobuf2: DocumentEncoding<PathItem2, Frame2> = {
  paths: (paths) => encodeMessage(pathEntries, paths),
  schemas: (schemas) => encodeMessage(namedSchemas, schemas),
  separator: Buffer.alloc(0),
  encodeFrame: (frame, pathsLength, schemasLength) => ({
    before: Buffer.concat([encodeMessage(frameStart, frame), fieldHeader(8, pathsLength)]),
    between: fieldHeader(9, schemasLength),
    after: encodeMessage(frameEnd, frame),
  }),
};
