// Tests of the hash of pod templates: stability and collisions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import { templateHash } from './template-hash.ts';

const template = (image: string, labels: Record<string, string> = { app: 'web', tier: 'front' }) =>
  ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }] } }) as unknown as PodTemplateSpec;

test('the hash is the same for equal templates, whatever the order of their fields', () => {
  const reordered = {
    spec: { containers: [{ image: 'one', name: 'c' }] },
    metadata: { labels: { tier: 'front', app: 'web' } },
  } as unknown as PodTemplateSpec;
  assert.equal(templateHash(template('one'), undefined), templateHash(reordered, undefined));
  // Names of existing ReplicaSets depend on it.
  assert.equal(templateHash(template('one'), undefined), '7fff68cdf4');
});

test('the hash differs between templates and between collision counts', () => {
  const hashes = [
    templateHash(template('one'), undefined),
    templateHash(template('two'), undefined),
    templateHash(template('one'), 1),
    templateHash(template('one'), 2),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
  for (const hash of hashes) assert.match(hash, /^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
});
