// The serving certificate and key, from files or generated.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { certificateBlocks, type KeyPair } from './certificates.ts';
import { parseCertificate } from './x509/certificate.ts';

/** Reads a serving certificate that somebody else made; says in one line what is wrong with it. */
export async function readServingFiles(certificateFile: string, keyFile: string): Promise<KeyPair> {
  const certificate = await readPem(certificateFile);
  const key = await readPem(keyFile);
  let matches: boolean;
  try {
    matches = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new Error(
      `${certificateFile} and ${keyFile} are not a PEM certificate and private key: ${reason(error)}`,
    );
  }
  if (!matches) throw new Error(`${keyFile} is not the private key of ${certificateFile}`);
  return { certificate, key };
}

/** Reads a bundle of authorities that sign client certificates. */
export async function readAuthorities(file: string): Promise<string> {
  const bundle = await readPem(file);
  const certificates = certificateBlocks(bundle);
  if (certificates.length === 0) throw new Error(`${file} contains no PEM certificates`);
  for (const [i, der] of certificates.entries()) {
    try {
      parseCertificate(der);
    } catch (error) {
      throw new Error(`certificate ${i + 1} in ${file} cannot be parsed: ${reason(error)}`);
    }
  }
  return bundle;
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
