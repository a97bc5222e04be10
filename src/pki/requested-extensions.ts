import { checkBoolean, DerProblem, DerReader, type Element, elementsOf, objectId, tags } from './der.ts';
import { isAscii } from './der-text.ts';

// The bytes of object identifiers, in hexadecimal.
const extensionRequest = '2a864886f70d01090e';
const alternativeNames = '551d11';

/** Checks what a request wants to have in the certificate beside the subject. Attributes of other kinds are passed over. */
export function checkExtensions(attributes: readonly Element[]): void {
  const requested = new Map<string, Buffer>();
  for (const attribute of attributes) {
    const list = requestedIn(attribute);
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
  if (names) checkAlternativeNames(names);
}

/** The extensions that an attribute asks for; undefined where it is about something else, or cannot be read. */
function requestedIn({ whole }: Element): Element | undefined {
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

const nameTags = { email: 1, dns: 2, uri: 6, address: 7 } as const;

function checkAlternativeNames(value: Buffer): void {
  const names = understood('x509: invalid subject alternative names', () =>
    new DerReader(value).read(tags.sequence, ''),
  );
  const reader = new DerReader(names.content);
  while (!reader.isAtEnd) {
    const name = understood('x509: invalid subject alternative name', () => reader.readAny());
    if (name.class === 2 && !name.isCompound) checkName(name);
  }
}

function checkName({ tag, content }: Element): void {
  const mustBeAscii = (what: string) => {
    if (!isAscii(content)) throw new DerProblem(`x509: SAN ${what} is malformed`);
  };
  if (tag === nameTags.email) mustBeAscii('rfc822Name');
  else if (tag === nameTags.dns) mustBeAscii('dNSName');
  else if (tag === nameTags.uri) mustBeAscii('uniformResourceIdentifier');
  else if (tag === nameTags.address && content.length !== 4 && content.length !== 16) {
    throw new DerProblem(`x509: cannot parse IP address of length ${content.length}`);
  }
}

function understood<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new DerProblem(problem);
  }
}
