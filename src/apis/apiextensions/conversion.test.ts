import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  certificatePem,
  goodCertificate,
  malformedCertificates,
} from '../../pki/x509/malformed-certificates.fixture.ts';
import { create, custom, firstProblem, problems, update } from './definitions.fixture.ts';

const converting = (conversion: object) => custom({ conversion });
const withWebhook = (clientConfig: object, conversionReviewVersions = ['v1']) =>
  converting({ strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } });

test('without a conversion only apiVersion changes', async () => {
  assert.deepEqual((await create(custom())).object.spec.conversion, { strategy: 'None' });
});

test('the strategy is required, and None or Webhook', async () => {
  assert.deepEqual(await problems(converting({ strategy: 'None' })), []);
  assert.deepEqual(await problems(converting({})), ['spec.conversion.strategy: Required value']);
  assert.match(await firstProblem(converting({ strategy: 'X' })), /supported values: "None", "Webhook"/);
});

test('Webhook requires a webhook, and preserveUnknownFields false', async () => {
  assert.deepEqual(await problems(converting({ strategy: 'Webhook' })), [
    'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
    'spec.conversion.conversionReviewVersions: Required value',
  ]);
  const preserving = {
    ...withWebhook({ url: 'https://a' }),
    spec: { ...withWebhook({ url: 'https://a' }).spec, preserveUnknownFields: true },
  };
  assert.match(await firstProblem(preserving), /must be None if spec\.preserveUnknownFields is true/);
});

test('None goes without a webhook', async () => {
  const webhook = { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] };
  assert.match(
    await firstProblem(converting({ strategy: 'None', webhook })),
    /should not be set when strategy is not set to Webhook/,
  );
});

test('one of the review versions must be known', async () => {
  const versions = (...given: string[]) => problems(withWebhook({ url: 'https://a' }, given));
  assert.deepEqual(await versions('v9', 'v1'), []);
  assert.match((await versions('v9'))[0]!, /must include at least one of v1, v1beta1/);
  assert.match((await versions('v1', 'v1'))[0]!, /duplicate version/);
});

test('exactly one of service and url is given', async () => {
  const service = { name: 'a', namespace: 'b' };
  assert.deepEqual(await problems(withWebhook({ service })), []);
  assert.deepEqual(await problems(withWebhook({ url: 'https://a/b' })), []);
  for (const config of [{}, { service, url: 'https://a' }]) {
    assert.match(await firstProblem(withWebhook(config)), /exactly one of url or service is required/);
  }
});

test("a service's port is 443 unless given", async () => {
  const { object } = await create(withWebhook({ service: { name: 'a', namespace: 'b' } }));
  assert.equal(object.spec.conversion?.webhook?.clientConfig?.service?.port, 443);
});

test('a valid caBundle, or none, is not replaced by a damaged one', async () => {
  const withBundle = (pem: string) =>
    withWebhook({ url: 'https://a', caBundle: Buffer.from(pem).toString('base64') });
  const good = withBundle(certificatePem(goodCertificate));
  const bad = withBundle(certificatePem(malformedCertificates['month 99']![0]));
  assert.deepEqual(await problems(bad), []);
  assert.deepEqual((await update(bad, withBundle('x'))).problems, []);
  assert.deepEqual((await update(bad, good)).problems, []);
  for (const before of [good, custom()]) {
    assert.match(
      (await update(before, bad)).problems[0]!,
      /^spec\.conversion\.webhookClientConfig\.caBundle: Invalid value: \[\]byte\{0x2d, .*\}: unable to load root certificates: failed to parse certificate: x509: malformed UTCTime$/,
    );
  }
});
