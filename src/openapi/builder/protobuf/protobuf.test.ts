// OpenAPI documents as Protobuf.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, number } from '../../../codec/protobuf/wire-writer.fixture.ts';
import { kubernetes } from '../../../dialect/index.ts';
import type { Document } from '../document.ts';
import type { Frame2 } from '../document-encoding.ts';
import { toVersion2 } from '../v2.ts';
import { protobuf2 } from './v2.ts';
import { version3ToProtobuf } from './v3.ts';

const extension = (name: string) => `${kubernetes.extensionPrefix}${name}`;

const document: Document = {
  openapi: '3.0.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/p': {
      get: {
        tags: ['t'],
        description: 'd',
        operationId: 'o',
        responses: {
          200: {
            description: 'OK',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/S' } } },
          },
        },
        [extension('action')]: 'get',
      },
      parameters: [
        { name: 'q', in: 'query', description: 'w', schema: { type: 'string', uniqueItems: true } },
      ],
    },
  },
  components: {
    schemas: {
      S: {
        type: 'object',
        required: ['a'],
        properties: {
          a: { type: 'string', default: '', enum: ['x', '*'] },
          b: { type: 'integer', format: 'int32', default: 7 },
          c: { default: {}, allOf: [{ $ref: '#/components/schemas/S' }] },
          d: { type: 'array', items: { type: 'boolean', default: false } },
          e: { type: 'object', additionalProperties: { type: 'string' } },
        },
        [extension('list-map-keys')]: ['k'],
      },
    },
    securitySchemes: { B: { type: 'apiKey', description: 's', name: 'authorization', in: 'header' } },
  },
};

const seven = Buffer.alloc(8);
seven.writeDoubleLE(7);
const named = (field: number, name: string, ...value: (string | Buffer)[]) =>
  bytes(field, bytes(1, name), bytes(2, ...value));

test('a v3 document is encoded with the field numbers of gnostic', () => {
  const reference = bytes(2, bytes(1, '#/components/schemas/S'));
  const operation = bytes(
    4,
    bytes(1, 't'),
    bytes(3, 'd'),
    bytes(5, 'o'),
    bytes(
      8,
      named(2, '200', bytes(1, bytes(1, 'OK'), bytes(3, named(1, 'application/json', bytes(1, reference))))),
    ),
    named(13, extension('action'), bytes(2, 'get\n')),
  );
  const parameter = bytes(
    13,
    bytes(
      1,
      bytes(1, 'q'),
      bytes(2, 'query'),
      bytes(3, 'w'),
      bytes(10, bytes(1, number(20, 1), bytes(25, 'string'))),
    ),
  );
  const properties = bytes(
    31,
    named(
      1,
      'a',
      bytes(
        1,
        bytes(24, bytes(2, 'x\n')),
        bytes(24, bytes(2, "'*'\n")),
        bytes(25, 'string'),
        bytes(33, bytes(3, '')),
      ),
    ),
    named(
      1,
      'b',
      bytes(1, bytes(25, 'integer'), bytes(33, Buffer.concat([Buffer.from([9]), seven])), bytes(35, 'int32')),
    ),
    named(1, 'c', bytes(1, bytes(26, reference), bytes(33, ''))),
    named(
      1,
      'd',
      bytes(
        1,
        bytes(25, 'array'),
        bytes(30, bytes(1, bytes(1, bytes(25, 'boolean'), bytes(33, number(2, 0))))),
      ),
    ),
    named(1, 'e', bytes(1, bytes(25, 'object'), bytes(32, bytes(1, bytes(1, bytes(25, 'string')))))),
  );
  const schema = bytes(
    1,
    bytes(23, 'a'),
    bytes(25, 'object'),
    properties,
    named(36, extension('list-map-keys'), bytes(2, '- k\n')),
  );
  const expected = Buffer.concat([
    bytes(1, '3.0.0'),
    bytes(2, bytes(1, 'T'), bytes(6, '1')),
    bytes(4, named(1, '/p', operation, parameter)),
    bytes(
      5,
      bytes(1, named(1, 'S', schema)),
      bytes(
        7,
        named(
          1,
          'B',
          bytes(1, bytes(1, 'apiKey'), bytes(2, 's'), bytes(3, 'authorization'), bytes(4, 'header')),
        ),
      ),
    ),
  ]);
  assert.equal(version3ToProtobuf(document).toString('hex'), expected.toString('hex'));
});

test('a v2 document is encoded with the field numbers of gnostic', () => {
  const part = toVersion2(document);
  const parameters = Object.fromEntries(part.parameters);
  const [name = ''] = Object.keys(parameters);
  const operation = bytes(
    2,
    bytes(1, 't'),
    bytes(3, 'd'),
    bytes(5, 'o'),
    bytes(6, 'application/json'),
    bytes(7, '*/*'),
    bytes(9, named(1, '200', bytes(1, bytes(1, 'OK'), bytes(2, bytes(1, bytes(1, '#/definitions/S')))))),
    bytes(10, 'https'),
    named(13, extension('action'), bytes(2, 'get\n')),
  );
  const typed = (type: string) => bytes(22, bytes(1, type));
  const definition = [
    bytes(19, 'a'),
    typed('object'),
    bytes(
      25,
      named(1, 'a', bytes(20, bytes(2, 'x\n')), bytes(20, bytes(2, "'*'\n")), typed('string')),
      named(1, 'b', bytes(2, 'int32'), typed('integer')),
      named(1, 'c', bytes(1, '#/definitions/S')),
      named(1, 'd', typed('array'), bytes(23, bytes(1, typed('boolean')))),
      named(1, 'e', bytes(21, bytes(1, typed('string'))), typed('object')),
    ),
    named(31, extension('list-map-keys'), bytes(2, '- k\n')),
  ];
  const parameter = [bytes(2, 'query'), bytes(3, 'w'), bytes(4, 'q'), bytes(6, 'string'), number(20, 1)];
  const expected = Buffer.concat([
    bytes(1, '2.0'),
    bytes(2, bytes(1, 'T'), bytes(2, '1')),
    bytes(8, named(2, '/p', operation, bytes(9, bytes(2, bytes(1, `#/parameters/${name}`))))),
    bytes(9, named(1, 'S', ...definition)),
    bytes(10, named(1, name, bytes(2, bytes(3, ...parameter)))),
    bytes(12, named(1, 'BearerToken', '')),
    bytes(
      13,
      named(
        1,
        'B',
        bytes(2, bytes(1, 'apiKey'), bytes(2, 'authorization'), bytes(3, 'header'), bytes(4, 's')),
      ),
    ),
  ]);
  const paths = protobuf2.paths(part.paths);
  const schemas = protobuf2.schemas(part.definitions);
  const frame: Frame2 = {
    swagger: '2.0',
    info: document.info,
    parameters,
    securityDefinitions: document.components.securitySchemes,
    security: [{ BearerToken: [] }],
  };
  const { before, between, after } = protobuf2.encodeFrame(frame, paths.length, schemas.length);
  const written = Buffer.concat([before, paths, between, schemas, after]);
  assert.equal(written.toString('hex'), expected.toString('hex'));
});
