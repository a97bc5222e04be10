import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../../schema/decoding.ts';
import { UndecodableBody } from '../../serializers/request-body.ts';
import { InvalidResponse, readAdmissionResponse, type SentReview } from './admission-response.ts';

const asked: SentReview = { version: 'v1', group: 'admission.orch.io', uid: 'u', mayPatch: true };
const review = (response: object, version = 'v1') =>
  Buffer.from(
    JSON.stringify({ kind: 'AdmissionReview', apiVersion: `admission.orch.io/${version}`, response }),
  );
const patch = Buffer.from('[]').toString('base64');

test('an AdmissionReview response is decoded', () => {
  const { allowed, patch: steps } = readAdmissionResponse(
    review({ uid: 'u', allowed: true, patch, patchType: 'JSONPatch' }),
    asked,
  );
  assert.equal(allowed, true);
  assert.equal(steps?.toString(), '[]');
  assert.equal(readAdmissionResponse(review({ uid: 'u' }), asked).allowed, false);
});

test('a response with another uid or kind, or without a response, is rejected', () => {
  for (const answer of [review({ uid: 'x' }), Buffer.from('{}'), Buffer.from('null')]) {
    assert.throws(() => readAdmissionResponse(answer, asked), InvalidResponse);
  }
  assert.throws(() => readAdmissionResponse(review({ uid: 'u' }, 'v1beta1'), asked), DecodeError);
  for (const text of ['[]', 'word', '{"kind":5}', '{']) {
    assert.throws(() => readAdmissionResponse(Buffer.from(text), asked), UndecodableBody);
  }
});

test('only a mutating webhook may send a patch, which requires a patchType', () => {
  const both = { uid: 'u', allowed: true, patch, patchType: 'JSONPatch' };
  assert.throws(() => readAdmissionResponse(review(both), { ...asked, mayPatch: false }), InvalidResponse);
  assert.throws(() => readAdmissionResponse(review({ ...both, patchType: null }), asked), InvalidResponse);
  assert.throws(() => readAdmissionResponse(review({ ...both, patch: '' }), asked), InvalidResponse);
});

test('a v1beta1 response needs neither a uid nor a patchType', () => {
  const older = { ...asked, version: 'v1beta1' } as const;
  const { patchType } = readAdmissionResponse(review({ allowed: true, patch }, 'v1beta1'), older);
  assert.equal(patchType, 'JSONPatch');
});

test('a large response that is not JSON is rejected without parsing', () => {
  const answer = Buffer.alloc(1024 * 1024, 'a: b\n');
  assert.throws(() => readAdmissionResponse(answer, asked), /no JSON object/);
});
