// Secret of type kubernetes.io/tls: checks that certificate and private key match.
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type PemBlock, pemBlocks, toPem } from '../../pki/pem.ts';
import { certificateProblem } from '../../pki/x509/certificate.ts';

/** Returns the error of Go's tls.X509KeyPair for the warning, or undefined if the key matches the certificate. */
export function keyPairProblem(certificatePem: string, keyPem: string): string | undefined {
  const blocks = pemBlocks(certificatePem);
  const certificateBlock = blocks.find(({ type }) => type === 'CERTIFICATE');
  if (!certificateBlock) return missingCertificateProblem(blocks);
  const keyBlocks = pemBlocks(keyPem);
  const keyBlock = keyBlocks.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (!keyBlock) return missingKeyProblem(keyBlocks);

  const problem = certificateProblem(certificateBlock.data);
  if (problem !== undefined) return problem;
  const certificateKey = tryOrUndefined(() => new X509Certificate(certificateBlock.data).publicKey);
  if (!certificateKey) return 'tls: unknown public key algorithm';
  const privateKey = tryOrUndefined(() => createPrivateKey(toPem(keyBlock.type, keyBlock.data)));
  if (!privateKey) return 'tls: failed to parse private key';
  if (certificateKey.asymmetricKeyType !== privateKey.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  return isSamePublicKey(certificateKey, createPublicKey(privateKey))
    ? undefined
    : 'tls: private key does not match public key';
}

function missingCertificateProblem(blocks: readonly PemBlock[]): string {
  if (blocks.length === 0) return 'tls: failed to find any PEM data in certificate input';
  const types = blocks.map(({ type }) => type);
  if (types.length === 1 && types[0]!.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function missingKeyProblem(blocks: readonly PemBlock[]): string {
  if (blocks.length === 0) return 'tls: failed to find any PEM data in key input';
  const types = blocks.map(({ type }) => type);
  if (types.length === 1 && types[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function tryOrUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function isSamePublicKey(a: KeyObject, b: KeyObject): boolean {
  const der = { type: 'spki', format: 'der' } as const;
  return a.export(der).equals(b.export(der));
}
