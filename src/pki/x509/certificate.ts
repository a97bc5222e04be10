/**
 * X.509: a strict certificate parser (RFC 5280 in DER). It accepts what Go's crypto/x509 accepts and refuses the rest with
 * its messages, which clients see in Status bodies. OpenSSL's parser accepts BER, trailing bytes and impossible times, so
 * certificates of clients are parsed here before OpenSSL sees them.
 */
import { DerProblem } from '../der.ts';
import { contextTag, DerCursor, dottedObjectId, tag } from './der-cursor.ts';
import { type Extension, readExtensions } from './extensions.ts';
import { checkName } from './name.ts';
import { checkPublicKeyInfo, readAlgorithm } from './public-key.ts';
import { readTime } from './time.ts';

export interface Certificate {
  readonly der: Buffer;
  /** It has the basic constraints of an authority. */
  readonly isCa: boolean;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Parses exactly one certificate. Throws a DerProblem. */
export function parseCertificate(der: Buffer): Certificate {
  const cursor = new DerCursor(der);
  const certificate = readCertificate(cursor);
  if (!cursor.isAtEnd) throw new DerProblem('x509: trailing data');
  return certificate;
}

/** Why these bytes are not exactly one valid certificate; undefined where they are. */
export function certificateProblem(der: Buffer): string | undefined {
  try {
    parseCertificate(der);
    return undefined;
  } catch (error) {
    if (error instanceof DerProblem) return error.message;
    throw error;
  }
}

/** Parses certificates that stand one after another; there may be none. Throws a DerProblem. */
export function parseCertificates(der: Buffer): Certificate[] {
  const cursor = new DerCursor(der);
  const certificates: Certificate[] = [];
  while (!cursor.isAtEnd) certificates.push(readCertificate(cursor));
  return certificates;
}

function readCertificate(cursor: DerCursor): Certificate {
  const { whole, content } = cursor.read(tag.sequence, 'x509: malformed certificate');
  const outer = new DerCursor(content);
  const tbs = outer.enter(tag.sequence, 'x509: malformed tbs certificate');
  const version = readVersion(tbs);
  const serial = tbs.readInteger('x509: malformed serial number');
  if (serial[0]! >= 0x80) throw new DerProblem('x509: negative serial number');
  checkSignatureAlgorithms(tbs, outer);
  checkName(tbs.read(tag.sequence, 'x509: malformed issuer').whole);
  const validity = tbs.enter(tag.sequence, 'x509: malformed validity');
  const notBefore = readTime(validity);
  const notAfter = readTime(validity);
  // The message is the same for both names.
  checkName(tbs.read(tag.sequence, 'x509: malformed issuer').whole);
  checkPublicKeyInfo(tbs.enter(tag.sequence, 'x509: malformed spki'));
  const extensions = version > 1 ? readTail(tbs, version) : [];
  outer.readBits('x509: malformed signature');
  return { der: whole, isCa: extensions.some(({ isCa }) => isCa), notBefore, notAfter };
}

function readVersion(tbs: DerCursor): number {
  const problem = 'x509: malformed version';
  const explicit = tbs.readIf(contextTag(0, true), problem);
  if (!explicit) return 1;
  const inner = new DerCursor(explicit.content);
  const version = inner.readInt64(problem);
  if (!inner.isAtEnd || version < 0n) throw new DerProblem(problem);
  if (version > 2n) throw new DerProblem('x509: invalid version');
  return Number(version) + 1;
}

/** The algorithm stands twice, and only once of the two in what is signed. */
function checkSignatureAlgorithms(tbs: DerCursor, outer: DerCursor): void {
  const inner = tbs.read(tag.sequence, 'x509: malformed signature algorithm identifier');
  const again = outer.read(tag.sequence, 'x509: malformed algorithm identifier');
  if (!inner.content.equals(again.content)) {
    throw new DerProblem("x509: inner and outer signature algorithm identifiers don't match");
  }
  readAlgorithm(new DerCursor(inner.content));
}

/** The unique identifiers of version 2 and the extensions of version 3. */
function readTail(tbs: DerCursor, version: number): Extension[] {
  tbs.readIf(contextTag(1), 'x509: malformed issuerUniqueID');
  tbs.readIf(contextTag(2), 'x509: malformed subjectUniqueID');
  if (version < 3) return [];
  const problem = 'x509: malformed extensions';
  const explicit = tbs.readIf(contextTag(3, true), problem);
  if (!explicit) return [];
  return readExtensions(new DerCursor(explicit.content).enter(tag.sequence, problem), (id) => {
    throw new DerProblem(`x509: certificate contains duplicate extension with OID "${dottedObjectId(id)}"`);
  });
}
