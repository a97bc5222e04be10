import { WireWriter } from '../../codec/protobuf/wire-writer.ts';
import type { Document } from '../document.ts';
import {
  anyValues,
  defaultValue,
  either,
  entries,
  extensions,
  flag,
  type Message,
  message,
  part,
  parts,
  text,
  texts,
  type Values,
} from './message.ts';

/** The messages of gnostic's `openapi_v3`, as far as documents of the API need them. */

const reference = message({ $ref: text(1) });

/** Either the thing itself, or a reference to it. */
function orReference(type: Message): Message {
  return either((value) => (value.$ref === undefined ? [1, type] : [2, reference]));
}

const schema: Message = (writer, value) => schemaFields(writer, value);
const schemaOrReference = orReference(schema);
/** An array of one schema, and the schema that a map's values have. */
const onlySchema: Message = either(() => [1, schemaOrReference]);
const namedSchemas: Message = entriesOf(schemaOrReference);

const schemaFields = message({
  uniqueItems: flag(20),
  required: texts(23),
  enum: anyValues(24),
  type: text(25),
  allOf: parts(26, schemaOrReference),
  oneOf: parts(27, schemaOrReference),
  items: part(30, onlySchema),
  properties: part(31, namedSchemas),
  additionalProperties: part(32, onlySchema),
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

const document = message({
  openapi: text(1),
  info: part(2, message({ title: text(1), version: text(6) })),
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
  const writer = new WireWriter(1 << 16);
  document(writer, value as unknown as Values);
  return writer.finish();
}
