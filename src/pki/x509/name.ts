// X.509: checks a distinguished name (RDNSequence).
import { isUtf8 } from 'node:buffer';
import { DerProblem } from '../der.ts';
import { DerCursor, tag } from './der-cursor.ts';

const problem = 'x509: invalid RDNSequence';

export function checkName(whole: Buffer): void {
  const sets = new DerCursor(whole).enter(tag.sequence, problem);
  while (!sets.isAtEnd) {
    const attributes = sets.enter(tag.set, problem);
    while (!attributes.isAtEnd) {
      const attribute = attributes.enter(tag.sequence, `${problem}: invalid attribute`);
      attribute.readObjectId(`${problem}: invalid attribute type`);
      const { tag: type, content } = attribute.readAny(`${problem}: invalid attribute value`);
      const reason = textProblem(type, content);
      if (reason !== undefined) throw new DerProblem(`${problem}: invalid attribute value: ${reason}`);
    }
  }
}

/** What is wrong with a DirectoryString or IA5String. */
function textProblem(type: number, content: Buffer): string | undefined {
  const refuseUnless = (allowed: boolean, name: string) => (allowed ? undefined : `invalid ${name}`);
  switch (type) {
    case 12:
      return refuseUnless(isUtf8(content), 'UTF-8 string');
    case 18:
      return refuseUnless(/^[0-9 ]*$/.test(content.toString('latin1')), 'NumericString');
    case 19:
      return refuseUnless(
        /^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(content.toString('latin1')),
        'PrintableString',
      );
    case 20:
      return undefined;
    case 22:
      return refuseUnless(isIa5(content), 'IA5String');
    case 30:
      return refuseUnless(isBmp(content), 'BMPString');
    default:
      return `unsupported string type: ${type}`;
  }
}

export const isIa5 = (content: Buffer) => content.every((byte) => byte < 0x80);

/** UCS-2: whole code units, none of which is a surrogate or a noncharacter. */
function isBmp(content: Buffer): boolean {
  if (content.length % 2 !== 0) return false;
  for (let at = 0; at < content.length; at += 2) {
    const unit = content.readUInt16BE(at);
    if ((unit >= 0xd800 && unit < 0xe000) || unit >= 0xfffe || (unit >= 0xfdd0 && unit <= 0xfdef))
      return false;
  }
  return true;
}
