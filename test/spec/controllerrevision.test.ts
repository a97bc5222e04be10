import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const revisions = kind(http, '/apis/apps/v1/namespaces/default/controllerrevisions');

test('ControllerRevision: revision counts from 0, data is any object and kept as it was written', async () => {
  const data = { spec: { nested: [1, 'two', null] } };
  const written = await revisions.valid({ revision: 7, data: { spec: { nested: [1, 'two', null] } } });
  assert.equal(written.revision, 7);
  assert.deepEqual(written.data, data);
  await revisions.invalid({ revision: -1 }, 'revision');
  await revisions.invalid({ data: 'text' }, 'data');
});

test('ControllerRevision: revision is required, also 0, and data is not', async () => {
  assert.equal((await revisions.valid({ revision: 0 })).revision, 0);
  await revisions.invalid({ revision: null }, 'revision', /Required value/);
  const bare = await revisions.create({ metadata: { name: 'bare' }, data: null });
  assert.equal(bare.data ?? null, null);
  await revisions.invalidUpdate(bare, { data: { a: 1 } }, 'data', /field is immutable/);
  await revisions.update(bare, { metadata: { labels: { l: 'v' } } });
});

test('ControllerRevision: no update changes data, deletion is allowed', async () => {
  const revision = await revisions.create({ data: { a: 1 } });
  await revisions.invalidUpdate(revision, { data: { a: 2 } }, 'data', /field is immutable/);
  await revisions.update(revision, { metadata: { labels: { l: 'v' } } });
  const patch = await http.request(
    'PATCH',
    `${revisions.collection}/example`,
    { data: { a: 3 } },
    { 'content-type': 'application/merge-patch+json' },
  );
  assert.equal(patch.code, 422);
  assert.equal((await http.delete(`${revisions.collection}/example`)).code, 200);
});
