import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInvalid, everythingServed, kind } from './support.ts';

const http = await everythingServed();
const definitions = kind(http, '/apis/apiextensions.orch.io/v1/customresourcedefinitions');
const anyObject = { openAPIV3Schema: { type: 'object' } };
const version = { name: 'v1', served: true, storage: true, schema: anyObject };
const versions = (...all: object[]) => ({ spec: { versions: all } });
const withVersion = (change: object) => versions({ ...version, ...change });
const withSchema = (properties: object) =>
  withVersion({ schema: { openAPIV3Schema: { type: 'object', properties } } });
// Errors in a single version have the field paths of v1beta1.
const at = 'spec';
const schemaAt = 'spec.validation.openAPIV3Schema';

test('CustomResourceDefinition: the name is <names.plural>.<group>', async () => {
  await definitions.valid();
  await definitions.invalid({ metadata: { name: 'example.com.widgets' } }, 'metadata.name');
  await definitions.invalid({ spec: { group: 'other.com' } }, 'metadata.name');
});

test('CustomResourceDefinition: group, names.kind, names.plural and scope are required', async () => {
  await definitions.invalid({ spec: { group: null } }, 'spec.group');
  await definitions.invalid({ spec: { names: { kind: null } } }, 'spec.names.kind');
  await definitions.invalid({ spec: { names: { plural: null } } }, 'spec.names.plural');
  await definitions.invalid({ spec: { scope: null } }, 'spec.scope');
});

test('CustomResourceDefinition: singular is the lowercase kind and listKind <kind>List by default', async () => {
  const { names } = (await definitions.valid()).spec as { names: Record<string, string> };
  assert.equal(names.singular, 'widget');
  assert.equal(names.listKind, 'WidgetList');
});

test('CustomResourceDefinition: names are lowercase, the kind excepted', async () => {
  await definitions.valid({ spec: { names: { shortNames: ['wd'], categories: ['all'] } } });
  await definitions.invalid({ spec: { names: { singular: 'Widget' } } }, 'spec.names.singular');
  await definitions.invalid({ spec: { names: { shortNames: ['WD'] } } }, 'spec.names.shortNames[0]');
  await definitions.invalid({ spec: { names: { shortNames: [''] } } }, 'spec.names.shortNames[0]');
  await definitions.invalid({ spec: { names: { categories: [''] } } }, 'spec.names.categories[0]');
  for (const bad of ['Wid_get', 'widget', 'wIDGET', 'Wid-get']) {
    await definitions.invalid({ spec: { names: { kind: bad } } }, 'spec.names.kind');
  }
});

test('CustomResourceDefinition: scope is Cluster or Namespaced', async () => {
  for (const scope of ['Cluster', 'Namespaced']) await definitions.valid({ spec: { scope } });
  await definitions.invalid({ spec: { scope: 'Galaxy' } }, 'spec.scope');
});

test('CustomResourceDefinition: exactly one version is stored, and every name comes once', async () => {
  const second = { ...version, name: 'v2', storage: false };
  await definitions.valid(versions(version, second));
  await definitions.invalid(versions(version, { ...second, storage: true }), 'spec.versions');
  await definitions.invalid(versions({ ...version, storage: false }), 'spec.versions');
  await definitions.invalid(versions(version, { ...second, name: 'v1' }), 'spec.versions');
  await definitions.invalid({ spec: { versions: null } }, 'spec.versions');
  const { served: _, ...unsaid } = second;
  await definitions.valid(versions(version, { ...second, served: false }));
  await definitions.invalid(versions(version, unsaid), 'spec.versions[1].served');
});

test('CustomResourceDefinition: a version says whether it is served and stored', async () => {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const first = { name: 'v1', served: true, storage: true, schema };
  const second = { name: 'v2', served: false, storage: false, schema };
  await definitions.valid({ spec: { versions: [first, second] } });
  for (const field of ['served', 'storage']) {
    const versions = [first, { ...second, [field]: null }];
    await definitions.invalid({ spec: { versions } }, `spec.versions[1].${field}`, /Required value/);
  }
});

test('CustomResourceDefinition: a condition has a type, and a status that is True, False or Unknown', async () => {
  const name = 'conditions.example.com';
  await definitions.create({
    metadata: { name },
    spec: { names: { plural: 'conditions', kind: 'Condition' } },
  });
  const path = `${definitions.collection}/${name}/status`;
  const patched = (condition: object) =>
    http.request(
      'PATCH',
      path,
      { status: { conditions: [condition] } },
      { 'content-type': 'application/merge-patch+json' },
    );
  assertInvalid(await patched({ status: 'True' }), 'status.conditions[0].type');
  for (const status of ['Maybe', 'true', '', null]) {
    assertInvalid(await patched({ type: 'Checked', status }), 'status.conditions[0].status');
  }
  assert.equal((await patched({ type: 'Checked', status: 'Unknown' })).code, 200);
});

test('CustomResourceDefinition: deprecationWarning goes only with deprecated', async () => {
  await definitions.valid(withVersion({ deprecated: true, deprecationWarning: 'use v2' }));
  await definitions.invalid(
    withVersion({ deprecationWarning: 'use v2' }),
    'spec.versions[0].deprecationWarning',
  );
});

test('CustomResourceDefinition: openAPIV3Schema is required and structural', async () => {
  await definitions.invalid(withVersion({ schema: undefined }), 'spec.versions[0].schema.openAPIV3Schema');
  await definitions.invalid(withSchema({ spec: {} }), `${schemaAt}.properties[spec].type`);
});

test('CustomResourceDefinition: a printer column has jsonPath, name and type', async () => {
  const column = { jsonPath: '.spec.size', name: 'Size', type: 'integer' };
  const of = (change: object) => withVersion({ additionalPrinterColumns: [{ ...column, ...change }] });
  await definitions.valid(of({ description: 'd', format: 'int32', priority: 1 }));
  await definitions.valid(of({ type: 'string', format: 'name' }));
  const path = `${at}.additionalPrinterColumns[0]`;
  await definitions.invalid(of({ jsonPath: undefined }), `${path}.JSONPath`);
  await definitions.invalid(of({ name: undefined }), `${path}.name`);
  await definitions.invalid(of({ type: undefined }), `${path}.type`);
});

test('CustomResourceDefinition: selectableFields are at most 8, without arrays, not in metadata, of simple types', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const properties = {
    spec: {
      type: 'object',
      properties: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object' },
      },
    },
  };
  const of = (...paths: string[]) =>
    withVersion({
      schema: { openAPIV3Schema: { type: 'object', properties } },
      selectableFields: paths.map((jsonPath) => ({ jsonPath })),
    });
  const spec = names.map((name) => `.spec.${name}`);
  await definitions.valid(of(...spec.slice(0, 8)));
  await definitions.invalid(of(...spec), `${at}.selectableFields`);
  for (const bad of ['.spec.list[0]', '.spec.map', '.metadata.name', '.spec.unknown']) {
    await definitions.invalid(of(bad), `${at}.selectableFields[0].jsonPath`);
  }
});

test('CustomResourceDefinition: scale has specReplicasPath under .spec and statusReplicasPath under .status', async () => {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const of = (change: object) =>
    withVersion({ subresources: { status: {}, scale: { ...scale, ...change } } });
  await definitions.valid(of({}));
  await definitions.valid(of({ labelSelectorPath: '.status.selector' }));
  await definitions.valid(of({ labelSelectorPath: '.spec.selector' }));
  const path = `${at}.subresources.scale`;
  for (const bad of [undefined, '.status.replicas']) {
    await definitions.invalid(of({ specReplicasPath: bad }), `${path}.specReplicasPath`);
  }
  for (const bad of [undefined, '.spec.replicas']) {
    await definitions.invalid(of({ statusReplicasPath: bad }), `${path}.statusReplicasPath`);
  }
  await definitions.invalid(of({ labelSelectorPath: '.other' }), `${path}.labelSelectorPath`);
});

test('CustomResourceDefinition: conversion is None, or Webhook with a webhook', async () => {
  const webhook = {
    conversionReviewVersions: ['v1'],
    clientConfig: { url: 'https://a.example.com/convert' },
  };
  const of = (conversion: object) => ({ spec: { conversion } });
  await definitions.valid(of({ strategy: 'None' }));
  await definitions.valid(of({ strategy: 'Webhook', webhook }));
  assert.deepEqual((await definitions.valid()).spec.conversion, { strategy: 'None' });
  await definitions.invalid(of({ strategy: 'Magic' }), 'spec.conversion.strategy');
  await definitions.invalid(of({ strategy: 'Webhook' }), 'spec.conversion.webhookClientConfig');
  await definitions.invalid(of({ strategy: 'None', webhook }), 'spec.conversion.webhookClientConfig');
  await definitions.invalid(
    of({ strategy: 'Webhook', webhook: { ...webhook, conversionReviewVersions: [] } }),
    'spec.conversion.conversionReviewVersions',
  );
});

test('CustomResourceDefinition: a conversion webhook is a service or an https URL without user, query and fragment', async () => {
  const of = (clientConfig: object) => ({
    spec: {
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    },
  });
  const service = { namespace: 'default', name: 's' };
  const made = await definitions.valid(of({ service }));
  const { conversion } = made.spec as { conversion: { webhook: { clientConfig: { service: object } } } };
  assert.deepEqual(conversion.webhook.clientConfig.service, { ...service, port: 443 });
  const path = 'spec.conversion.webhookClientConfig';
  const url = 'https://a.example.com';
  await definitions.valid(of({ url }));
  await definitions.invalid(of({}), path);
  await definitions.invalid(of({ url, service }), path);
  for (const port of [0, 65536]) {
    await definitions.invalid(of({ service: { ...service, port } }), `${path}.service.port`);
  }
  await definitions.invalid(of({ service: {} }), `${path}.service.namespace`);
  await definitions.invalid(of({ service: {} }), `${path}.service.name`);
  for (const bad of [
    'http://a.example.com',
    'https://u:p@a.example.com',
    'https://a.example.com?q=1',
    'https://a.example.com#f',
  ]) {
    await definitions.invalid(of({ url: bad }), `${path}.url`);
  }
});

test('CustomResourceDefinition: preserveUnknownFields: true is not allowed on create', async () => {
  await definitions.valid({ spec: { preserveUnknownFields: false } });
  await definitions.invalid({ spec: { preserveUnknownFields: true } }, 'spec.preserveUnknownFields');
});

test('CustomResourceDefinition: the fields of JSON Schema are accepted', async () => {
  await definitions.valid(
    withSchema({
      spec: {
        type: 'object',
        description: 'd',
        title: 't',
        externalDocs: { description: 'd', url: 'https://example.com' },
        example: { a: 1 },
        required: ['text'],
        maxProperties: 9,
        minProperties: 1,
        properties: {
          text: { type: 'string', default: 'ab', pattern: '^a', minLength: 1, maxLength: 5, nullable: true },
          number: {
            type: 'number',
            minimum: 0,
            exclusiveMinimum: true,
            maximum: 9,
            exclusiveMaximum: true,
            multipleOf: 2,
          },
          choice: { type: 'string', enum: ['a', 'b'], format: 'hostname' },
          list: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
          map: { type: 'object', additionalProperties: { type: 'integer' } },
          logic: {
            type: 'integer',
            allOf: [{ minimum: 1 }],
            anyOf: [{ maximum: 3 }],
            oneOf: [{ enum: [1] }],
            not: { enum: [2] },
          },
        },
      },
    }),
  );
});

test('CustomResourceDefinition: a default fits its schema', async () => {
  const of = (value: unknown) => withSchema({ size: { type: 'integer', maximum: 3, default: value } });
  await definitions.valid(of(3));
  for (const bad of ['three', 4]) await definitions.invalid(of(bad), `${schemaAt}.properties[size].default`);
});

test('CustomResourceDefinition: list types are atomic, set and map, and map keys go only with map', async () => {
  const list = (change: object) =>
    withSchema({ list: { type: 'array', items: { type: 'string' }, ...change } });
  const items = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  for (const type of ['atomic', 'set']) await definitions.valid(list({ 'x-orch-list-type': type }));
  await definitions.valid(list({ items, 'x-orch-list-type': 'map', 'x-orch-list-map-keys': ['name'] }));
  const path = `${schemaAt}.properties[list]`;
  await definitions.invalid(list({ 'x-orch-list-type': 'bag' }), `${path}.x-orch-list-type`);
  await definitions.invalid(list({ items, 'x-orch-list-type': 'map' }), `${path}.x-orch-list-map-keys`);
  await definitions.invalid(
    list({ items, 'x-orch-list-type': 'set', 'x-orch-list-map-keys': ['name'] }),
    `${path}.x-orch-list-type`,
  );
  const free = { ...items, required: undefined };
  await definitions.invalid(
    list({ items: free, 'x-orch-list-type': 'map', 'x-orch-list-map-keys': ['name'] }),
    `${path}.items.properties[name].default`,
  );
});

test('CustomResourceDefinition: map types are granular and atomic, for objects only', async () => {
  const of = (change: object) => withSchema({ map: { type: 'object', ...change } });
  for (const type of ['granular', 'atomic']) await definitions.valid(of({ 'x-orch-map-type': type }));
  const path = `${schemaAt}.properties[map]`;
  await definitions.invalid(of({ 'x-orch-map-type': 'loose' }), `${path}.x-orch-map-type`);
  await definitions.invalid(of({ type: 'string', 'x-orch-map-type': 'atomic' }), `${path}.type`);
});

test('CustomResourceDefinition: embedded resources, int-or-string and unknown fields have extensions, the latter never false', async () => {
  const embedded = {
    type: 'object',
    'x-orch-embedded-resource': true,
    'x-orch-preserve-unknown-fields': true,
  };
  await definitions.valid(withSchema({ embedded, either: { 'x-orch-int-or-string': true } }));
  await definitions.invalid(
    withSchema({ free: { type: 'object', 'x-orch-preserve-unknown-fields': false } }),
    `${schemaAt}.properties[free].x-orch-preserve-unknown-fields`,
  );
});

test('CustomResourceDefinition: a rule of x-orch-validations must not be empty', async () => {
  const of = (rule: string) => withSchema({ size: { type: 'integer', 'x-orch-validations': [{ rule }] } });
  await definitions.valid(of('self > 0'));
  await definitions.invalid(of(''), `${schemaAt}.properties[size].x-orch-validations[0].rule`);
});

test('CustomResourceDefinition: a rule of x-orch-validations is a CEL expression with self bound to its value', async () => {
  const where = `${schemaAt}.properties[size].x-orch-validations[0].rule`;
  const of = (rule: string, type = 'integer') =>
    withSchema({ size: { type, 'x-orch-validations': [{ rule }] } });
  await definitions.valid(of('self % 2 == 0 && self >= oldSelf'));
  await definitions.invalid(of('self % 2'), where, /must evaluate to a bool/);
  await definitions.invalid(of('self % 2 == 0', 'string'), where, /found no matching overload for '_%_'/);
  await definitions.invalid(of('self.size > 0'), where, /does not support field selection/);
});

/** Valid and invalid strings of each format. */
const formats: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
  bsonobjectid: [
    ['507f1f77bcf86cd799439011'],
    ['nope', '507f1f77bcf86cd79943901', 'zzzf1f77bcf86cd799439011'],
  ],
  uri: [
    ['https://example.com/a', 'http://example.com:80/a?b=c'],
    ['no uri', '://a'],
  ],
  email: [
    ['a@example.com', 'first.last@sub.example.com'],
    ['nobody', 'a@', '@example.com'],
  ],
  hostname: [
    ['a.example.com', 'localhost'],
    ['a..b', '-a', 'a b'],
  ],
  ipv4: [
    ['10.0.0.1', '255.255.255.255'],
    ['10.0.0', '10.0.0.256', '2001:db8::1'],
  ],
  ipv6: [
    ['2001:db8::1', '::1'],
    ['10.0.0.1', '2001:db8:::1', 'g::1'],
  ],
  cidr: [
    ['10.0.0.0/8', '2001:db8::/32'],
    ['10.0.0.0', '10.0.0.0/33'],
  ],
  mac: [
    ['01:02:03:04:05:ab', '01-02-03-04-05-ab'],
    ['01:02', '01:02:03:04:05:zz'],
  ],
  uuid: [
    ['a8098c1a-f86e-11da-bd1a-00112444be1e', 'BCD02E22-68F0-3046-A512-327CCA9DEF8F'],
    ['a8098c1a', 'g8098c1a-f86e-11da-bd1a-00112444be1e'],
  ],
  uuid3: [
    ['bcd02e22-68f0-3046-a512-327cca9def8f'],
    ['a8098c1a-f86e-11da-bd1a-00112444be1e', '025b0d74-00a2-4048-bf57-227c5111bb34'],
  ],
  uuid4: [
    ['025b0d74-00a2-4048-bf57-227c5111bb34'],
    ['a8098c1a-f86e-11da-bd1a-00112444be1e', 'bcd02e22-68f0-3046-a512-327cca9def8f'],
  ],
  uuid5: [
    ['886313e1-3b8a-5372-9b90-0c9aee199e5d'],
    ['a8098c1a-f86e-11da-bd1a-00112444be1e', '025b0d74-00a2-4048-bf57-227c5111bb34'],
  ],
  isbn: [
    ['0321751043', '978-0321751041'],
    ['0321751042', '978-0321751042'],
  ],
  isbn10: [['0321751043'], ['978-0321751041', '0321751042']],
  isbn13: [['978-0321751041'], ['0321751043', '978-0321751042']],
  creditcard: [
    ['4111-1111-1111-1111', '4111111111111111'],
    ['4111', '4111-1111-1111-1112'],
  ],
  ssn: [['111-11-1111'], ['111', '111-11-111', 'aaa-11-1111']],
  hexcolor: [
    ['#FFFFFF', '#fff'],
    ['white', '#ggg', '#ffff'],
  ],
  rgbcolor: [
    ['rgb(255,255,255)', 'rgb(0,0,0)'],
    ['rgb(300,0,0)', '255,255,255'],
  ],
  byte: [['aGVsbG8=', 'aGVsbG8h'], ['no base64!']],
  date: [
    ['2026-01-31', '2024-02-29'],
    ['2026-02-31', '2026-02-29', '2026-1-31', '31.01.2026'],
  ],
  duration: [
    ['1h30m', '5s'],
    ['soon', 'h1'],
  ],
  datetime: [
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5+02:00'],
    ['noon', '2026-01-31', '2026-02-31T12:00:00Z'],
  ],
};

test('CustomResourceDefinition: strings are validated by known formats', async () => {
  const of = (format: string, value: string) => withSchema({ v: { type: 'string', format, default: value } });
  for (const [format, [good, bad]] of Object.entries(formats)) {
    for (const text of good) await definitions.valid(of(format, text));
    for (const text of bad) await definitions.invalid(of(format, text), `${schemaAt}.properties[v].default`);
  }
});

test('CustomResourceDefinition: a password is any string, and unknown formats are ignored', async () => {
  for (const format of ['password', 'unheard-of']) {
    await definitions.valid(withSchema({ v: { type: 'string', format, default: 'any' } }));
  }
});
