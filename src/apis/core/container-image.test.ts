import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageTag } from './container-image.ts';

const hex = '0123456789abcdef'.repeat(4);

test('an image without tag and digest is the latest', () => {
  for (const image of ['nginx', 'a/b/c', 'localhost:5000/x', 'UP.com/x', '[::1]:5000/a', 'a__b', 'a---b']) {
    assert.equal(imageTag(image), 'latest', image);
  }
});

test('a tag is what stands behind the last colon, and a digest is no tag', () => {
  assert.equal(imageTag('nginx:1.2'), '1.2');
  assert.equal(imageTag('localhost:5000/x:y'), 'y');
  assert.equal(imageTag(`a/b:latest@sha256:${hex}`), 'latest');
  assert.equal(imageTag(`a/b@sha256:${hex}`), '');
});

test('what is no name of an image has no tag', () => {
  for (const image of ['', 'UP', ' x', 'nginx:', 'a//b', 'a___b', '_a', 'a:-x', 'x@sha256:12', hex, 'a b']) {
    assert.equal(imageTag(image), undefined, image);
  }
  assert.equal(imageTag('a'.repeat(256)), undefined);
  assert.equal(imageTag(`x:${'a'.repeat(129)}`), undefined);
});

test('long names are read in linear time', () => {
  assert.equal(imageTag(`${'a-'.repeat(400)}!`), undefined);
  assert.equal(imageTag('a.'.repeat(100_000)), undefined);
});
