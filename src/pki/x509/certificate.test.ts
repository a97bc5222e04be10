import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bundleProblem, trustedCertificates } from '../trust.ts';
import { parseCertificate, parseCertificates } from './certificate.ts';
import {
  certificatePem,
  damagedCertificates,
  goodCertificate,
  unusualCertificates,
} from './damaged-certificates.fixture.ts';

describe('the certificate parser', () => {
  it('reads what a certificate says', () => {
    const { isCa, notBefore, notAfter, der } = parseCertificate(goodCertificate);
    assert.equal(isCa, true);
    assert.equal(new Date(notBefore).toISOString(), '2026-01-01T00:00:00.000Z');
    assert.equal(new Date(notAfter).toISOString(), '2126-01-01T00:00:00.000Z');
    assert.deepEqual(der, goodCertificate);
  });

  for (const [damage, [der, message]] of Object.entries(damagedCertificates)) {
    it(`refuses ${damage}`, () => {
      assert.throws(() => parseCertificate(der), { message });
    });
  }

  for (const [what, der] of Object.entries(unusualCertificates)) {
    it(`accepts ${what}`, () => assert.equal(parseCertificate(der).isCa, true));
  }

  it('reads several certificates where several are allowed', () => {
    assert.equal(parseCertificates(Buffer.concat([goodCertificate, goodCertificate])).length, 2);
    assert.equal(parseCertificates(Buffer.alloc(0)).length, 0);
  });

  it('ends with a problem on every prefix of a certificate', () => {
    for (let length = 0; length < goodCertificate.length; length++) {
      assert.throws(() => parseCertificate(goodCertificate.subarray(0, length)), /^DerProblem|x509/);
    }
  });
});

describe('a caBundle', () => {
  const good = certificatePem(goodCertificate);
  const bad = certificatePem(damagedCertificates['month 99']![0]);

  it('is used without its damaged certificates', () => {
    assert.deepEqual(trustedCertificates(bad + good), [good]);
  });

  it('says why it has no valid certificate', () => {
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
