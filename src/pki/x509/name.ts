// Validates a distinguished name (RDNSequence) of a certificate as Go does.
import { isUtf8 } from 'node:buffer';
import { DerError, stringTags } from '../der.ts';
import { DerCursor, tag } from './der-cursor.ts';

const problem = 'x509: invalid RDNSequence';

/** Throws DerError. */
export function assertValidName(whole: Buffer): void {
  const rdns = new DerCursor(whole).enter(tag.sequence, problem);
  while (!rdns.isAtEnd) {
    const attributes = rdns.enter(tag.set, problem);
    while (!attributes.isAtEnd) {
      const attribute = attributes.enter(tag.sequence, `${problem}: invalid attribute`);
      attribute.readObjectIdentifier(`${problem}: invalid attribute type`);
      const { tag: stringTag, content } = attribute.readAny(`${problem}: invalid attribute value`);
      const reason = stringProblem(stringTag, content);
      if (reason !== undefined) throw new DerError(`${problem}: invalid attribute value: ${reason}`);
    }
  }
}

/** The error message for an invalid DirectoryString or IA5String; undefined if it is valid. */
function stringProblem(stringTag: number, content: Buffer): string | undefined {
  const invalidUnless = (allowed: boolean, name: string) => (allowed ? undefined : `invalid ${name}`);
  switch (stringTag) {
    case stringTags.utf8:
      return invalidUnless(isUtf8(content), 'UTF-8 string');
    case stringTags.numeric:
      return invalidUnless(/^[0-9 ]*$/.test(content.toString('latin1')), 'NumericString');
    case stringTags.printable:
      return invalidUnless(
        /^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(content.toString('latin1')),
        'PrintableString',
      );
    case stringTags.t61:
      return undefined;
    case stringTags.ia5:
      return invalidUnless(isIa5String(content), 'IA5String');
    case stringTags.bmp:
      return invalidUnless(isBmpString(content), 'BMPString');
    default:
      return `unsupported string type: ${stringTag}`;
  }
}

export const isIa5String = (content: Buffer) => content.every((byte) => byte < 0x80);

/** UCS-2: 16-bit code units that are neither surrogates nor noncharacters. */
function isBmpString(content: Buffer): boolean {
  if (content.length % 2 !== 0) return false;
  for (let offset = 0; offset < content.length; offset += 2) {
    const unit = content.readUInt16BE(offset);
    if ((unit >= 0xd800 && unit < 0xe000) || unit >= 0xfffe || (unit >= 0xfdd0 && unit <= 0xfdef))
      return false;
  }
  return true;
}
