// Certificate extensions: parses them, and validates those that RFC 5280 defines, as Go does.
import { DerError } from '../der.ts';
import { parseGeneralNames } from './alternative-names.ts';
import { constructedContextTag, contextTag, DerCursor, tag } from './der-cursor.ts';
import { assertValidNameConstraints } from './name-constraints.ts';

export interface ParsedExtension {
  /** The object identifier in hexadecimal. */
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Buffer;
  /** Whether this is basicConstraints with the cA flag. */
  readonly isCa: boolean;
}

/** Limits memory; certificates have far fewer extensions. */
const maxExtensions = 10_000;

/** Parses and validates the extensions. Throws DerError, or by `rejectDuplicate`. */
export function parseExtensions(list: DerCursor, rejectDuplicate: (id: string) => never): ParsedExtension[] {
  const seenIds = new Set<string>();
  const extensions: ParsedExtension[] = [];
  while (!list.isAtEnd) {
    const extension = list.enter(tag.sequence, 'x509: malformed extension');
    const id = extension.readObjectIdentifier('x509: malformed extension OID field');
    const isCritical =
      extension.isNextTag(tag.boolean) && extension.readBoolean('x509: malformed extension critical field');
    const value = extension.read(tag.octetString, 'x509: malformed extension value field').content;
    if (seenIds.has(id)) rejectDuplicate(id);
    if (seenIds.size === maxExtensions) throw new DerError('x509: malformed extensions');
    seenIds.add(id);
    extensions.push({ id, isCritical, value, isCa: false });
  }
  return extensions.map((extension) => ({ ...extension, isCa: validateExtension(extension) }));
}

/** Throws for an invalid extension. Returns whether it is basicConstraints with the cA flag. */
function validateExtension({ id, isCritical, value }: ParsedExtension): boolean {
  if (id === basicConstraints) return parseBasicConstraints(new DerCursor(value));
  const nonCriticalName = neverCriticalExtensions[id];
  if (isCritical && nonCriticalName) {
    throw new DerError(`x509: ${nonCriticalName} incorrectly marked critical`);
  }
  extensionValidators[id]?.(new DerCursor(value));
  return false;
}

// Object identifiers: their DER content in hexadecimal.
const basicConstraints = '551d13';
const keyUsage = '551d0f';
const subjectAltName = '551d11';
const nameConstraints = '551d1e';
const crlDistributionPoints = '551d1f';
const extKeyUsage = '551d25';
const certificatePolicies = '551d20';
const policyMappings = '551d21';
const policyConstraints = '551d24';
const inhibitAnyPolicy = '551d36';
const authorityKeyId = '551d23';
const subjectKeyId = '551d0e';
const authorityInfoAccess = '2b06010505070101';

const neverCriticalExtensions: Readonly<Record<string, string>> = {
  [authorityKeyId]: 'authority key identifier',
  [subjectKeyId]: 'subject key identifier',
  [authorityInfoAccess]: 'authority info access',
};

/** Returns the cA flag. */
function parseBasicConstraints(value: DerCursor): boolean {
  const problem = 'x509: invalid basic constraints';
  const constraints = value.enter(tag.sequence, problem);
  const isCa = constraints.isNextTag(tag.boolean) && constraints.readBoolean(problem);
  if (constraints.isNextTag(tag.integer) && constraints.readInt64(problem) < 0n) throw new DerError(problem);
  return isCa;
}

/** Each throws DerError. Extensions without a validator are accepted. */
const extensionValidators: Readonly<Record<string, (value: DerCursor) => void>> = {
  [keyUsage]: (value) => value.readBitString('x509: invalid key usage'),
  [subjectAltName]: parseGeneralNames,
  [nameConstraints]: assertValidNameConstraints,
  [crlDistributionPoints]: (value) => {
    const points = value.enter(tag.sequence, 'x509: invalid CRL distribution points');
    const problem = 'x509: invalid CRL distribution point';
    while (!points.isAtEnd) {
      const point = points.enter(tag.sequence, problem);
      const name = point.readIf(constructedContextTag(0), problem);
      if (!name) continue;
      const names = new DerCursor(name.content).enter(constructedContextTag(0), problem);
      while (names.isNextTag(contextTag(6))) names.read(contextTag(6), problem);
    }
  },
  [authorityKeyId]: (value) => {
    const problem = 'x509: invalid authority key identifier';
    value.enter(tag.sequence, problem).readIf(contextTag(0), problem);
  },
  [subjectKeyId]: (value) => value.read(tag.octetString, 'x509: invalid subject key identifier'),
  [extKeyUsage]: (value) => {
    const problem = 'x509: invalid extended key usages';
    const usages = value.enter(tag.sequence, problem);
    while (!usages.isAtEnd) usages.readObjectIdentifier(problem);
  },
  [certificatePolicies]: (value) => {
    const problem = 'x509: invalid certificate policies';
    const policies = value.enter(tag.sequence, problem);
    const seenIds = new Set<string>();
    while (!policies.isAtEnd) {
      const id = policies.enter(tag.sequence, problem).readObjectIdentifier(problem, { isBounded: false });
      if (seenIds.has(id)) throw new DerError(problem);
      seenIds.add(id);
    }
  },
  [policyMappings]: (value) => {
    const problem = 'x509: invalid policy mappings extension';
    const mappings = value.enter(tag.sequence, problem);
    while (!mappings.isAtEnd) {
      const mapping = mappings.enter(tag.sequence, problem);
      mapping.read(tag.objectId, problem);
      mapping.read(tag.objectId, problem);
    }
  },
  [policyConstraints]: (value) => {
    const problem = 'x509: invalid policy constraints extension';
    const constraints = value.enter(tag.sequence, problem);
    for (const number of [0, 1]) {
      const skipCerts = constraints.readIf(contextTag(number), problem);
      if (skipCerts) implicitInteger(skipCerts.content).readInt64(problem);
    }
  },
  [inhibitAnyPolicy]: (value) => {
    value.readInt64('x509: invalid inhibit any policy extension');
  },
  [authorityInfoAccess]: (value) => {
    const problem = 'x509: invalid authority info access';
    const descriptions = value.enter(tag.sequence, problem);
    while (!descriptions.isAtEnd) {
      const description = descriptions.enter(tag.sequence, problem);
      description.readObjectIdentifier(problem);
      description.readIf(contextTag(6), problem);
    }
  },
};

/**
 * A cursor over an INTEGER with an implicit context-specific tag. A length of one byte is enough: an integer of more
 * than eight bytes is rejected.
 */
const implicitInteger = (content: Buffer) =>
  new DerCursor(Buffer.concat([Buffer.from([tag.integer, Math.min(content.length, 0x7f)]), content]));
