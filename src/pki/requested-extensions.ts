// PKCS#10: the extensionRequest attribute of a certificate signing request, i.e. its subject alternative names.
import { checkBoolean, DerProblem, DerReader, type Element, elementsOf, objectId, tags } from './der.ts';
import { generalName, readGeneralNames } from './x509/alternative-names.ts';
import { DerCursor } from './x509/der-cursor.ts';

// Object identifiers: their DER content in hexadecimal.
const extensionRequest = '2a864886f70d01090e';
const alternativeNames = '551d11';

/** Subject alternative names by type. */
export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly addresses: readonly string[];
  readonly uris: readonly string[];
}

/** Reads the requested subject alternative names; other attributes and extensions are ignored. */
export function readAlternativeNames(attributes: readonly Element[]): AlternativeNames {
  const requested = new Map<string, Buffer>();
  for (const attribute of attributes) {
    const list = requestedExtensions(attribute);
    if (!list) continue;
    const extensions = elementsOf(new DerReader(list.whole).read(tags.sequence, '').content, tags.sequence);
    for (const [id, value] of extensions.map(readExtension)) {
      if (requested.has(id)) {
        throw new DerProblem('x509: certificate request contains duplicate requested extensions');
      }
      requested.set(id, value);
    }
  }
  const names = requested.get(alternativeNames);
  return names ? decodeAlternativeNames(names) : { dns: [], emails: [], addresses: [], uris: [] };
}

/** The extensions of an extensionRequest attribute; undefined for other or undecodable attributes. */
function requestedExtensions({ whole }: Element): Element | undefined {
  try {
    const reader = new DerReader(new DerReader(whole).read(tags.sequence, '').content);
    const id = objectId(reader.read(tags.objectId, ''));
    const values = elementsOf(reader.read(tags.set, '').content);
    return id === extensionRequest ? values[0] : undefined;
  } catch {
    return undefined;
  }
}

function readExtension({ content }: Element): [id: string, value: Buffer] {
  const reader = new DerReader(content);
  const id = objectId(reader.read(tags.objectId, 'ObjectIdentifier'));
  const critical = reader.readIf(tags.boolean);
  if (critical) checkBoolean(critical);
  return [id, reader.read(tags.octetString, '').content];
}

function decodeAlternativeNames(value: Buffer): AlternativeNames {
  const found: Record<keyof AlternativeNames, string[]> = { dns: [], emails: [], addresses: [], uris: [] };
  for (const { tag, content } of readGeneralNames(new DerCursor(value))) {
    const text = content.toString('latin1');
    if (tag === generalName.email) found.emails.push(text);
    else if (tag === generalName.dns) found.dns.push(text);
    else if (tag === generalName.uri) found.uris.push(text);
    else if (tag === generalName.address) found.addresses.push(formatAddress(content));
  }
  return found;
}

/** IPv6 addresses are written in full, without `::`. */
function formatAddress(content: Buffer): string {
  if (content.length === 4) return content.join('.');
  return content.toString('hex').replace(/.{4}(?=.)/g, '$&:');
}
