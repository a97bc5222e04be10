import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as catalogue from '../../src/errors/catalogue.ts';
import { fieldErrorBody, required } from '../../src/errors/field-error.ts';
import type { ApiError } from '../../src/errors/status.ts';

// Cells are padded for alignment; padding is ignored.
const page = readFileSync('docs/reference/errors.md', 'utf8').replace(/ +\|/g, ' |');
const configmaps = { group: '', resource: 'configmaps' };
const json = ['application/json'];

/** One call of each function of the catalogue: the example on the page. */
const examples: Record<string, () => ApiError> = {
  badRequest: () => catalogue.badRequest('limit must not be negative'),
  unauthorized: () => catalogue.unauthorized(),
  forbidden: () => catalogue.forbidden(configmaps, 'settings', 'no'),
  notFound: () => catalogue.notFound(configmaps, 'settings'),
  resourceNotServed: () => catalogue.resourceNotServed(),
  methodNotAllowed: () => catalogue.methodNotAllowed(),
  methodNotSupported: () => catalogue.methodNotSupported(configmaps, 'watch'),
  notAcceptable: () => catalogue.notAcceptable(json),
  requestedKindMismatch: () =>
    catalogue.requestedKindMismatch('PartialObjectMetadata', 'a list', '*core.ConfigMapList'),
  noRepresentation: () => catalogue.noRepresentation(json),
  alreadyExists: () => catalogue.alreadyExists(configmaps, 'settings'),
  generateNameConflict: () => catalogue.generateNameConflict(configmaps, 'settings'),
  conflict: () => catalogue.conflict(configmaps, 'settings', catalogue.objectModified),
  expired: () => catalogue.expired('The provided continue parameter is too old'),
  bodyTooLarge: () => catalogue.bodyTooLarge(3 * 1024 * 1024),
  unsupportedMediaType: () => catalogue.unsupportedMediaType(json),
  invalidObject: () =>
    catalogue.invalidObject({ group: '', kind: 'ConfigMap' }, 'settings', [
      required('metadata.name', 'name or generateName is required'),
    ]),
  tooManyRequests: () => catalogue.tooManyRequests('too many requests', 1),
  internalError: () => catalogue.internalError('something broke'),
  corruptObject: () =>
    catalogue.corruptObject({
      key: 'configmaps/default/settings',
      problem: 'object not decodable revision=7: unexpected end of JSON input',
    }),
  storageReadError: () => catalogue.storageReadError(configmaps, []),
  storageFull: () => catalogue.storageFull('delete objects, or raise the quota'),
  serviceUnavailable: () => catalogue.serviceUnavailable('the disk is full'),
  requestTimeout: () => catalogue.requestTimeout('request did not complete within the allotted timeout'),
  tooLargeRevision: () => catalogue.tooLargeRevision('99', 7),
};

test('docs/reference/errors.md has a row for every error of the catalogue, and no other', () => {
  const makers = Object.entries(catalogue).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  );
  const rows = [...page.matchAll(/^\| `(\w+)` \| \d+ \|/gm)].map(([, name]) => name);
  assert.deepEqual([...rows].sort(), makers.sort());
});

test('docs/reference/errors.md shows code, reason and message as the catalogue makes them', () => {
  for (const [name, make] of Object.entries(examples)) {
    const { code, reason, message } = make();
    const row = `| \`${name}\` | ${code} | ${reason || '-'} | \`${message.replaceAll('\n', '\\n')}\` |`;
    assert.ok(page.includes(row), `the page lacks: ${row}`);
  }
});

test('docs/reference/errors.md lists every reason of a cause and how its message begins', () => {
  const types =
    readFileSync('src/errors/field-error.ts', 'utf8').match(/FieldErrorType =\n([^;]+);/)?.[1] ?? '';
  const reasons = [...types.matchAll(/'(\w+)'/g)].map(
    ([, reason]) => reason as Parameters<typeof fieldErrorBody>[0]['type'],
  );
  assert.ok(reasons.length > 5);
  for (const type of reasons) {
    const title = fieldErrorBody({ type, field: '', value: '', detail: '' }).split(':')[0];
    assert.ok(page.includes(`| \`${type}\` | \`${title}\` |`), `${type}: ${title}`);
  }
});
