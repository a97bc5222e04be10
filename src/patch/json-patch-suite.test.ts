/** The community's JSON Patch test suite, except for cases that it disables itself. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { copyJson, isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { isJsonEqual } from './json-equal.ts';
import { applyJsonPatch, kubeApiserverOptions, rfc6902 } from './json-patch.ts';
import { decodeJsonPatchStrictly } from './json-patch-body.ts';
import { PatchNotApplicable } from './patch-error.ts';

interface SuiteCase {
  readonly name: string;
  readonly doc: JsonValue;
  readonly patch: JsonValue;
  readonly expected?: JsonValue;
  readonly fails: boolean;
}

const require = createRequire(import.meta.url);

function casesOf(file: string): SuiteCase[] {
  const { value } = parseJson(readFileSync(require.resolve(`json-patch-test-suite/${file}`)));
  assert.ok(Array.isArray(value));
  return value
    .filter((item): item is JsonObject => isObject(item) && item.disabled !== true)
    .map((item, i) => ({
      name: `${file} #${i + 1}: ${item.comment ?? item.error ?? JSON.stringify(item.patch)}`,
      doc: item.doc!,
      patch: item.patch!,
      ...('expected' in item && { expected: item.expected! }),
      fails: 'error' in item,
    }));
}

const cases = [...casesOf('tests.json'), ...casesOf('spec_tests.json')];

/** Deviations of `kubeApiserverOptions` from the RFC that the suite covers. */
const servedOtherwise = [
  'Out of bounds (lower)',
  'replacing the root of the document is possible with add',
  "missing 'value' parameter to add",
  "missing 'value' parameter to replace",
];

test('the suite has both of its files', () => assert.equal(cases.length, 91));

for (const { name, doc, patch, expected, fails } of cases) {
  const apply = (options = rfc6902) =>
    applyJsonPatch(copyJson(doc), decodeJsonPatchStrictly(patch).operations, options);

  test(`RFC 6902: ${name}`, () => {
    if (fails) assert.throws(apply, PatchNotApplicable);
    else assert.ok(isJsonEqual(apply(), expected ?? doc));
  });

  test(`as served: ${name}`, () => {
    const isOtherwise = servedOtherwise.some((part) => name.endsWith(part));
    if (fails !== isOtherwise) assert.throws(() => apply(kubeApiserverOptions), PatchNotApplicable);
    else if (!isOtherwise) assert.ok(isJsonEqual(apply(kubeApiserverOptions), expected ?? doc));
    else apply(kubeApiserverOptions);
  });
}
