import * as tls from 'node:tls';
import { certificatesIn } from './certificates.ts';

/** What was named as authorities are no certificates. */
export class BadAuthorities extends Error {}

/** The certificates of a bundle that somebody gave for others to believe. Throws BadAuthorities. */
export function trustedCertificates(bundle: string): string[] {
  const problem = 'unable to load root certificates: unable to parse bytes as PEM block';
  const ca = certificatesIn(bundle);
  if (ca.length === 0) throw new BadAuthorities(problem);
  try {
    tls.createSecureContext({ ca });
  } catch {
    throw new BadAuthorities(problem);
  }
  return ca;
}

/** Whom the system trusts. None where Node cannot tell: then it goes by its own. */
export function systemAuthorities(): string[] {
  return tls.getCACertificates?.('system') ?? [];
}
