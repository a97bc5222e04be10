// OpenAPI v2 documents as Protobuf (gnostic openapiv2).
import type { Encoding, Frame2 } from '../document-encoding.ts';
import type { PathItem2 } from '../v2.ts';
import {
  additionalSchema,
  anyValues,
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

/** The messages of gnostic's `openapi_v2`, as far as documents of the API need them. */

const schema: Message = (writer, value) => schemaFields(writer, value);
const onlySchema: Message = either(() => [1, schema]);
const namedSchemas = entriesOf(1, schema);
/** A type is a list of names, of which there is one. */
const typeName = (number: number) => part(number, (writer, value) => texts(1)(writer, [value], {}));

const schemaFields = message({
  $ref: text(1),
  format: text(2),
  title: text(3),
  description: text(4),
  multipleOf: double(6),
  maximum: double(7),
  exclusiveMaximum: flag(8),
  minimum: double(9),
  exclusiveMinimum: flag(10),
  maxLength: int(11),
  minLength: int(12),
  pattern: text(13),
  maxItems: int(14),
  minItems: int(15),
  uniqueItems: flag(16),
  maxProperties: int(17),
  minProperties: int(18),
  required: texts(19),
  enum: anyValues(20),
  additionalProperties: additionalSchema(21, schema),
  type: typeName(22),
  items: part(23, onlySchema),
  properties: part(25, namedSchemas),
  extensions: extensions(31),
});

const bodyParameter = message({
  description: text(1),
  name: text(2),
  in: text(3),
  required: flag(4),
  schema: part(5, schema),
});
const queryParameter = message({
  required: flag(1),
  in: text(2),
  description: text(3),
  name: text(4),
  type: text(6),
  uniqueItems: flag(20),
});
const pathParameter = message({
  required: flag(1),
  in: text(2),
  description: text(3),
  name: text(4),
  type: text(5),
  uniqueItems: flag(19),
});
const otherParameter = either((value) => (value.in === 'path' ? [4, pathParameter] : [3, queryParameter]));
const parameter = either((value) => (value.in === 'body' ? [1, bodyParameter] : [2, otherParameter]));
const parameterOrReference = either((value) =>
  value.$ref === undefined ? [1, parameter] : [2, message({ $ref: text(1) })],
);

const response = either(() => [1, message({ description: text(1), schema: part(2, onlySchema) })]);

const operation = message({
  tags: texts(1),
  description: text(3),
  operationId: text(5),
  produces: texts(6),
  consumes: texts(7),
  parameters: parts(8, parameterOrReference),
  responses: part(9, entriesOf(1, response)),
  schemes: texts(10),
  extensions: extensions(13),
});

const pathItem = message({
  get: part(2, operation),
  put: part(3, operation),
  post: part(4, operation),
  delete: part(5, operation),
  options: part(6, operation),
  head: part(7, operation),
  patch: part(8, operation),
  parameters: parts(9, parameterOrReference),
});

const securityDefinition = either(() => [
  2,
  message({ type: text(1), name: text(2), in: text(3), description: text(4) }),
]);

const pathEntries = entriesOf(2, pathItem);

const beginning = message({
  swagger: text(1),
  info: part(2, message({ title: text(1), version: text(2) })),
});
const end = message({
  parameters: part(10, entriesOf(1, parameter)),
  security: parts(
    12,
    entriesOf(1, (writer, value) => texts(1)(writer, value, {})),
  ),
  securityDefinitions: part(13, entriesOf(1, securityDefinition)),
});

function entriesOf(number: number, type: Message): Message {
  return (writer, value) => entries(number, type)(writer, value, value);
}

export const protobuf2: Encoding<PathItem2, Frame2> = {
  paths: (paths) => written(pathEntries, paths),
  schemas: (schemas) => written(namedSchemas, schemas),
  separator: Buffer.alloc(0),
  around: (frame, pathsLength, schemasLength) => ({
    before: Buffer.concat([written(beginning, frame), opening(8, pathsLength)]),
    between: opening(9, schemasLength),
    after: written(end, frame),
  }),
};
