// X.509: reads extensions and checks those that RFC 5280 defines. Unknown ones are not looked into.
import { DerProblem } from '../der.ts';
import { readGeneralNames } from './alternative-names.ts';
import { contextTag, DerCursor, tag } from './der-cursor.ts';
import { checkNameConstraints } from './name-constraints.ts';

export interface Extension {
  /** The hexadecimal digits of its object identifier. */
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Buffer;
  /** These are basic constraints with the CA flag. */
  readonly isCa: boolean;
}

/** More are in no certificate. It bounds how many different identifiers are remembered. */
const maxExtensions = 10_000;

export function readExtensions(list: DerCursor, refuseDuplicate: (id: string) => never): Extension[] {
  const seen = new Set<string>();
  const read: Extension[] = [];
  while (!list.isAtEnd) {
    const extension = list.enter(tag.sequence, 'x509: malformed extension');
    const id = extension.readObjectId('x509: malformed extension OID field');
    const isCritical =
      extension.isNext(tag.boolean) && extension.readBoolean('x509: malformed extension critical field');
    const value = extension.read(tag.octetString, 'x509: malformed extension value field').content;
    if (seen.has(id)) refuseDuplicate(id);
    if (seen.size === maxExtensions) throw new DerProblem('x509: malformed extensions');
    seen.add(id);
    read.push({ id, isCritical, value, isCa: false });
  }
  return read.map((extension) => ({ ...extension, isCa: checkExtension(extension) }));
}

/** Checks an extension by what it is. Answers whether it makes the certificate one of an authority. */
function checkExtension({ id, isCritical, value }: Extension): boolean {
  if (id === basicConstraints) return isAuthority(new DerCursor(value));
  const mustNotBeCritical = neverCritical[id];
  if (isCritical && mustNotBeCritical) {
    throw new DerProblem(`x509: ${mustNotBeCritical} incorrectly marked critical`);
  }
  checks[id]?.(new DerCursor(value));
  return false;
}

// The bytes of object identifiers, in hexadecimal.
const basicConstraints = '551d13';
const authorityKeyId = '551d23';
const subjectKeyId = '551d0e';
const authorityInfoAccess = '2b06010505070101';

const neverCritical: Readonly<Record<string, string>> = {
  [authorityKeyId]: 'authority key identifier',
  [subjectKeyId]: 'subject key identifier',
  [authorityInfoAccess]: 'authority info access',
};

function isAuthority(value: DerCursor): boolean {
  const problem = 'x509: invalid basic constraints';
  const constraints = value.enter(tag.sequence, problem);
  const isCa = constraints.isNext(tag.boolean) && constraints.readBoolean(problem);
  if (constraints.isNext(tag.integer) && constraints.readInt64(problem) < 0n) throw new DerProblem(problem);
  return isCa;
}

const checks: Readonly<Record<string, (value: DerCursor) => void>> = {
  /** Key usage. */
  '551d0f': (value) => value.readBits('x509: invalid key usage'),
  '551d11': readGeneralNames,
  '551d1e': checkNameConstraints,
  /** CRL distribution points. */
  '551d1f': (value) => {
    const points = value.enter(tag.sequence, 'x509: invalid CRL distribution points');
    const problem = 'x509: invalid CRL distribution point';
    while (!points.isAtEnd) {
      const point = points.enter(tag.sequence, problem);
      const name = point.readIf(contextTag(0, true), problem);
      if (!name) continue;
      const names = new DerCursor(name.content).enter(contextTag(0, true), problem);
      while (names.isNext(contextTag(6))) names.read(contextTag(6), problem);
    }
  },
  [authorityKeyId]: (value) => {
    const problem = 'x509: invalid authority key identifier';
    value.enter(tag.sequence, problem).readIf(contextTag(0), problem);
  },
  [subjectKeyId]: (value) => value.read(tag.octetString, 'x509: invalid subject key identifier'),
  /** Extended key usage. */
  '551d25': (value) => {
    const problem = 'x509: invalid extended key usages';
    const usages = value.enter(tag.sequence, problem);
    while (!usages.isAtEnd) usages.readObjectId(problem);
  },
  /** Certificate policies. */
  '551d20': (value) => {
    const problem = 'x509: invalid certificate policies';
    const policies = value.enter(tag.sequence, problem);
    const seen = new Set<string>();
    while (!policies.isAtEnd) {
      const id = policies.enter(tag.sequence, problem).readObjectId(problem, false);
      if (seen.has(id)) throw new DerProblem(problem);
      seen.add(id);
    }
  },
  /** Policy mappings. */
  '551d21': (value) => {
    const problem = 'x509: invalid policy mappings extension';
    const mappings = value.enter(tag.sequence, problem);
    while (!mappings.isAtEnd) {
      const mapping = mappings.enter(tag.sequence, problem);
      mapping.read(tag.objectId, problem);
      mapping.read(tag.objectId, problem);
    }
  },
  /** Policy constraints. */
  '551d24': (value) => {
    const problem = 'x509: invalid policy constraints extension';
    const constraints = value.enter(tag.sequence, problem);
    for (const number of [0, 1]) {
      const skipped = constraints.readIf(contextTag(number), problem);
      if (skipped) asInteger(skipped.content).readInt64(problem);
    }
  },
  /** Inhibit any-policy. */
  '551d36': (value) => {
    value.readInt64('x509: invalid inhibit any policy extension');
  },
  [authorityInfoAccess]: (value) => {
    const problem = 'x509: invalid authority info access';
    const descriptions = value.enter(tag.sequence, problem);
    while (!descriptions.isAtEnd) {
      const description = descriptions.enter(tag.sequence, problem);
      description.readObjectId(problem);
      description.readIf(contextTag(6), problem);
    }
  },
};

/** The content of an INTEGER that stands under another tag. */
const asInteger = (content: Buffer) =>
  new DerCursor(Buffer.concat([Buffer.from([tag.integer, Math.min(content.length, 0x7f)]), content]));
