// A strict parser of X.509 certificates (RFC 5280) that accepts the same certificates as Go's crypto/x509 and rejects
// others with its messages, which clients see in Status bodies. OpenSSL's parser accepts BER, trailing data and invalid
// times, so client certificates are parsed here first.
import { DerError } from '../der.ts';
import { constructedContextTag, contextTag, DerCursor, formatObjectIdentifier, tag } from './der-cursor.ts';
import { type ParsedExtension, parseExtensions } from './extensions.ts';
import { assertValidName } from './name.ts';
import { assertValidPublicKeyInfo, parseAlgorithmIdentifier } from './public-key.ts';
import { parseTime } from './time.ts';

export interface ParsedCertificate {
  readonly der: Buffer;
  /** Whether the basicConstraints extension has the cA flag. */
  readonly isCa: boolean;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Parses exactly one certificate. Throws DerError. */
export function parseCertificate(der: Buffer): ParsedCertificate {
  const cursor = new DerCursor(der);
  const certificate = parseNext(cursor);
  if (!cursor.isAtEnd) throw new DerError('x509: trailing data');
  return certificate;
}

/** The error message for bytes that are not exactly one valid certificate; undefined if they are. */
export function certificateProblem(der: Buffer): string | undefined {
  try {
    parseCertificate(der);
    return undefined;
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

/** Parses any number of concatenated certificates. Throws DerError. */
export function parseCertificates(der: Buffer): ParsedCertificate[] {
  const cursor = new DerCursor(der);
  const certificates: ParsedCertificate[] = [];
  while (!cursor.isAtEnd) certificates.push(parseNext(cursor));
  return certificates;
}

/** Reads the fields in the order of RFC 5280, and keeps only those that callers need. */
function parseNext(cursor: DerCursor): ParsedCertificate {
  const { whole, content } = cursor.read(tag.sequence, 'x509: malformed certificate');
  const outer = new DerCursor(content);
  // tbsCertificate: the signed part ("to be signed").
  const tbs = outer.enter(tag.sequence, 'x509: malformed tbs certificate');
  const version = parseVersion(tbs);
  const serial = tbs.readInteger('x509: malformed serial number');
  if (serial[0]! >= 0x80) throw new DerError('x509: negative serial number');
  assertSameSignatureAlgorithms(tbs, outer);
  assertValidName(tbs.read(tag.sequence, 'x509: malformed issuer').whole);
  const validity = tbs.enter(tag.sequence, 'x509: malformed validity');
  const notBefore = parseTime(validity);
  const notAfter = parseTime(validity);
  // Go has the same message for issuer and subject.
  assertValidName(tbs.read(tag.sequence, 'x509: malformed issuer').whole);
  assertValidPublicKeyInfo(tbs.enter(tag.sequence, 'x509: malformed spki'));
  const extensions = version > 1 ? readUniqueIdsAndExtensions(tbs, version) : [];
  outer.readBitString('x509: malformed signature');
  return { der: whole, isCa: extensions.some(({ isCa }) => isCa), notBefore, notAfter };
}

/** 1, 2 or 3; 1 if absent. */
function parseVersion(tbs: DerCursor): number {
  const problem = 'x509: malformed version';
  const tagged = tbs.readIf(constructedContextTag(0), problem);
  if (!tagged) return 1;
  const explicitValue = new DerCursor(tagged.content);
  const version = explicitValue.readInt64(problem);
  if (!explicitValue.isAtEnd || version < 0n) throw new DerError(problem);
  if (version > 2n) throw new DerError('x509: invalid version');
  return Number(version) + 1;
}

/** signatureAlgorithm must equal the signature field of tbsCertificate, which is signed. */
function assertSameSignatureAlgorithms(tbs: DerCursor, outer: DerCursor): void {
  const innerAlgorithm = tbs.read(tag.sequence, 'x509: malformed signature algorithm identifier');
  const outerAlgorithm = outer.read(tag.sequence, 'x509: malformed algorithm identifier');
  if (!innerAlgorithm.content.equals(outerAlgorithm.content)) {
    throw new DerError("x509: inner and outer signature algorithm identifiers don't match");
  }
  parseAlgorithmIdentifier(new DerCursor(innerAlgorithm.content));
}

/** issuerUniqueID and subjectUniqueID of version 2, and the extensions of version 3. */
function readUniqueIdsAndExtensions(tbs: DerCursor, version: number): ParsedExtension[] {
  tbs.readIf(contextTag(1), 'x509: malformed issuerUniqueID');
  tbs.readIf(contextTag(2), 'x509: malformed subjectUniqueID');
  if (version < 3) return [];
  const problem = 'x509: malformed extensions';
  const tagged = tbs.readIf(constructedContextTag(3), problem);
  if (!tagged) return [];
  return parseExtensions(new DerCursor(tagged.content).enter(tag.sequence, problem), (id) => {
    throw new DerError(
      `x509: certificate contains duplicate extension with OID "${formatObjectIdentifier(id)}"`,
    );
  });
}
