/** SPEC's condition status, of every kind whose conditions a client writes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInvalid, everythingServed, kind } from './support.ts';

const http = await everythingServed();

/** Collections of kinds with conditions, and the fields that a condition needs beside type and status. */
const kinds: Readonly<Record<string, object>> = {
  '/apis/admissionregistration.orch.io/v1/validatingadmissionpolicies': {
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'R',
    message: 'm',
  },
  '/apis/storagemigration.orch.io/v1alpha1/storageversionmigrations': {
    lastUpdateTime: '2026-01-01T00:00:00Z',
    reason: 'R',
    message: 'm',
  },
};

for (const [collection, rest] of Object.entries(kinds)) {
  const plural = collection.slice(collection.lastIndexOf('/') + 1);

  test(`${plural}: the status of a condition is True, False or Unknown, and its type unique`, async () => {
    const of = kind(http, collection);
    const item = `${collection}/${(await of.create()).metadata.name}`;
    const written = (...conditions: object[]) =>
      http.request(
        'PATCH',
        `${item}/status`,
        { status: { conditions: conditions.map((condition) => ({ ...rest, ...condition })) } },
        { 'content-type': 'application/merge-patch+json' },
      );
    for (const status of ['True', 'False', 'Unknown']) {
      const { code, text } = await written({ type: 'Checked', status });
      assert.equal(code, 200, text);
    }
    for (const status of ['true', 'Maybe', '']) {
      assertInvalid(await written({ type: 'Checked', status }), 'status.conditions[0].status');
    }
    const twice = { type: 'Checked', status: 'True' };
    assertInvalid(await written(twice, twice), 'status.conditions[1].type');
  });
}
