import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bundleProblem, parseCABundle } from '../ca-bundle.ts';
import { parseCertificate, parseCertificates } from './certificate.ts';
import {
  certificatePem,
  goodCertificate,
  malformedCertificates,
  unusualCertificates,
} from './malformed-certificates.fixture.ts';

describe('the certificate parser', () => {
  it('parses cA, validity and DER', () => {
    const { isCa, notBefore, notAfter, der } = parseCertificate(goodCertificate);
    assert.equal(isCa, true);
    assert.equal(new Date(notBefore).toISOString(), '2026-01-01T00:00:00.000Z');
    assert.equal(new Date(notAfter).toISOString(), '2126-01-01T00:00:00.000Z');
    assert.deepEqual(der, goodCertificate);
  });

  for (const [defect, [der, message]] of Object.entries(malformedCertificates)) {
    it(`rejects ${defect}`, () => {
      assert.throws(() => parseCertificate(der), { message });
    });
  }

  for (const [feature, der] of Object.entries(unusualCertificates)) {
    it(`accepts ${feature}`, () => assert.equal(parseCertificate(der).isCa, true));
  }

  it('parseCertificates parses concatenated certificates', () => {
    assert.equal(parseCertificates(Buffer.concat([goodCertificate, goodCertificate])).length, 2);
    assert.equal(parseCertificates(Buffer.alloc(0)).length, 0);
  });

  it('rejects every prefix of a certificate', () => {
    for (let length = 0; length < goodCertificate.length; length++) {
      assert.throws(() => parseCertificate(goodCertificate.subarray(0, length)), /x509/);
    }
  });
});

describe('a caBundle', () => {
  const good = certificatePem(goodCertificate);
  const bad = certificatePem(malformedCertificates['month 99']![0]);

  it('skips malformed certificates', () => {
    assert.deepEqual(parseCABundle(bad + good), [good]);
  });

  it('is rejected with a message if it has no valid certificate', () => {
    const problems = {
      [bad]: 'failed to parse certificate: x509: malformed UTCTime',
      hello: 'unable to parse bytes as PEM block',
      [good.replaceAll('CERTIFICATE', 'OTHER')]: 'no valid certificate authority data seen',
      [good.replace('-----\n', '-----\nA: b\n\n')]: 'no valid certificate authority data seen',
    };
    for (const [bundle, problem] of Object.entries(problems)) {
      assert.equal(bundleProblem(bundle), `unable to load root certificates: ${problem}`);
    }
  });
});
