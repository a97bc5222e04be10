// Tests of parsing other servers' discovery documents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregatedResources, resourcesInList } from './remote-discovery.ts';

test('resourcesInList groups subresources with their resource', () => {
  const [scaled, ...rest] = resourcesInList({
    resources: [
      { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get'] },
      { name: 'things/scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch'] },
    ],
  });
  assert.equal(rest.length, 0);
  assert.deepEqual(scaled, {
    resource: 'things',
    responseKind: { group: '', version: '', kind: 'Thing' },
    scope: 'Namespaced',
    singularResource: 'thing',
    verbs: ['get'],
    subresources: [
      {
        subresource: 'scale',
        responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
        verbs: ['get', 'patch'],
      },
    ],
  });
});

test('malformed discovery documents are skipped', () => {
  for (const said of [undefined, null, 7, 'x', [], {}, { resources: 7 }, { resources: [null, 7, 'x'] }]) {
    assert.deepEqual(resourcesInList(said), []);
    assert.equal(aggregatedResources(said, 'g', 'v1'), undefined);
  }
  const [odd] = resourcesInList({ resources: [{ name: 7, verbs: [1, 'get', null], shortNames: {} }] });
  assert.deepEqual(odd?.verbs, ['get']);
  assert.equal(odd.resource, '');
});

test('aggregatedResources distinguishes an absent version from an empty one', () => {
  const document = { items: [{ metadata: { name: 'g' }, versions: [{ version: 'v1' }] }] };
  assert.deepEqual(aggregatedResources(document, 'g', 'v1'), []);
  assert.equal(aggregatedResources(document, 'g', 'v2'), undefined);
  assert.equal(aggregatedResources(document, 'h', 'v1'), undefined);
});
