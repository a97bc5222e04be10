import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAnyFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { selectionOf } from './selection.ts';

test('only requirements of equality are left to an index; a store has none of the name or namespace', () => {
  const labels = parseLabelSelector('a=b,c in (d,e),f!=g,h notin (i),j,!k,l>1');
  const fields = parseAnyFieldSelector('spec.nodeName=n,status.phase!=Failed,metadata.namespace=x');
  const resource = { prefix: 'pods', definition: { namespaced: true } };
  const selection = selectionOf(resource, labels, fields)!;
  const ofKey = [{ kind: 'key', name: 'metadata.namespace', values: ['x'] }];
  const ofContent = [
    { kind: 'field', name: 'spec.nodeName', values: ['n'] },
    { kind: 'label', name: 'a', values: ['b'] },
    { kind: 'label', name: 'c', values: ['d', 'e'] },
  ];
  assert.deepEqual(selection.contentEqualities, ofContent);
  assert.deepEqual(new Set(selection.equalities), new Set([...ofKey, ...ofContent]));
});
