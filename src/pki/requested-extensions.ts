// The extensionRequest attribute of a certificate signing request (PKCS#10): its subject alternative names.
import {
  assertValidBoolean,
  type DerElement,
  DerError,
  DerReader,
  parseElements,
  parseObjectIdentifier,
  tags,
} from './der.ts';
import { generalNameTags, parseGeneralNames } from './x509/alternative-names.ts';
import { DerCursor } from './x509/der-cursor.ts';

// Object identifiers: their DER content in hexadecimal.
const extensionRequest = '2a864886f70d01090e';
const subjectAltName = '551d11';

/** Subject alternative names by type. */
export interface SubjectAltNames {
  readonly dnsNames: readonly string[];
  readonly emails: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
}

/**
 * The subject alternative names of the request; other attributes and extensions are ignored. Where a read names no
 * field, Go's message names none either.
 */
export function parseRequestedSans(attributes: readonly DerElement[]): SubjectAltNames {
  const requested = new Map<string, Buffer>();
  for (const attribute of attributes) {
    const extensionList = extensionRequestValue(attribute);
    if (!extensionList) continue;
    const extensions = parseElements(
      new DerReader(extensionList.whole).read(tags.sequence, '').content,
      tags.sequence,
    );
    for (const [id, value] of extensions.map(parseExtension)) {
      if (requested.has(id)) {
        throw new DerError('x509: certificate request contains duplicate requested extensions');
      }
      requested.set(id, value);
    }
  }
  const names = requested.get(subjectAltName);
  return names ? parseSubjectAltName(names) : { dnsNames: [], emails: [], ipAddresses: [], uris: [] };
}

/** The extensions in an extensionRequest attribute; undefined for other and malformed attributes. */
function extensionRequestValue({ whole }: DerElement): DerElement | undefined {
  try {
    const reader = new DerReader(new DerReader(whole).read(tags.sequence, '').content);
    const id = parseObjectIdentifier(reader.read(tags.objectId, ''));
    const values = parseElements(reader.read(tags.set, '').content);
    return id === extensionRequest ? values[0] : undefined;
  } catch {
    return undefined;
  }
}

function parseExtension({ content }: DerElement): [id: string, value: Buffer] {
  const reader = new DerReader(content);
  const id = parseObjectIdentifier(reader.read(tags.objectId, 'ObjectIdentifier'));
  const critical = reader.readIf(tags.boolean);
  if (critical) assertValidBoolean(critical);
  return [id, reader.read(tags.octetString, '').content];
}

function parseSubjectAltName(value: Buffer): SubjectAltNames {
  const names: Record<keyof SubjectAltNames, string[]> = {
    dnsNames: [],
    emails: [],
    ipAddresses: [],
    uris: [],
  };
  for (const { tag, content } of parseGeneralNames(new DerCursor(value))) {
    const text = content.toString('latin1');
    if (tag === generalNameTags.rfc822Name) names.emails.push(text);
    else if (tag === generalNameTags.dNSName) names.dnsNames.push(text);
    else if (tag === generalNameTags.uniformResourceIdentifier) names.uris.push(text);
    else if (tag === generalNameTags.iPAddress) names.ipAddresses.push(formatIpAddress(content));
  }
  return names;
}

/** IPv6 addresses have all groups, without `::`. */
function formatIpAddress(content: Buffer): string {
  if (content.length === 4) return content.join('.');
  return content.toString('hex').replace(/.{4}(?=.)/g, '$&:');
}
