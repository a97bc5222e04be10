// Tests of the equality of templates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import { isSameTemplate, templateHashLabel } from './same-template.ts';

const template = (image: string, labels: Record<string, string> = { app: 'web', tier: 'front' }) =>
  ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }] } }) as unknown as PodTemplateSpec;

test('templates are compared without the label of the hash', () => {
  const labelled = template('one', { app: 'web', tier: 'front', [templateHashLabel]: 'abc' });
  assert.ok(isSameTemplate(template('one'), labelled));
  assert.ok(!isSameTemplate(template('two'), labelled));
});
