// Reads the certificate files of flags: the serving key pair and CA bundles.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { certificateBlocks, type KeyPair } from './certificates.ts';
import { parseCertificate } from './x509/certificate.ts';

/** Reads a serving certificate and its key. Throws an error with a one-line message for the administrator. */
export async function readServingFiles(certificateFile: string, keyFile: string): Promise<KeyPair> {
  const certificate = await readPem(certificateFile);
  const key = await readPem(keyFile);
  let matches: boolean;
  try {
    matches = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new Error(
      `${certificateFile} and ${keyFile} are not a PEM certificate and private key: ${errorMessage(error)}`,
    );
  }
  if (!matches) throw new Error(`${keyFile} is not the private key of ${certificateFile}`);
  return { certificate, key };
}

/** Reads the CA bundle that verifies client certificates. */
export async function readCABundle(file: string): Promise<string> {
  const bundle = await readPem(file);
  const certificates = certificateBlocks(bundle);
  if (certificates.length === 0) throw new Error(`${file} contains no PEM certificates`);
  for (const [i, der] of certificates.entries()) {
    try {
      parseCertificate(der);
    } catch (error) {
      throw new Error(`certificate ${i + 1} in ${file} cannot be parsed: ${errorMessage(error)}`);
    }
  }
  return bundle;
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${errorMessage(error)}`);
  }
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
