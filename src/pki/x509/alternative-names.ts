// The subjectAltName extension (RFC 5280, 4.2.1.6): parses GeneralNames, and validates them as Go does.
import { parseUriHost } from '../../codec/uri/uri.ts';
import { quote } from '../../errors/quote.ts';
import { DerError } from '../der.ts';
import { contextTag, type DerCursor, type DerValue, tag } from './der-cursor.ts';
import { isDomainName } from './domain-name.ts';
import { isIa5String } from './name.ts';

/** Tags of the GeneralName types that are validated. */
export const generalNameTags = {
  rfc822Name: contextTag(1),
  dNSName: contextTag(2),
  uniformResourceIdentifier: contextTag(6),
  iPAddress: contextTag(7),
} as const;

/** Throws DerError. */
export function parseGeneralNames(value: DerCursor): DerValue[] {
  const nameList = value.enter(tag.sequence, 'x509: invalid subject alternative names');
  const names: DerValue[] = [];
  while (!nameList.isAtEnd) {
    const name = nameList.readAny('x509: invalid subject alternative name');
    validators[name.tag]?.(name.content);
    names.push(name);
  }
  return names;
}

/** Each throws DerError. */
const validators: Readonly<Record<number, (content: Buffer) => void>> = {
  [generalNameTags.rfc822Name]: (content) => {
    decodeIa5(content, 'rfc822Name');
  },
  [generalNameTags.dNSName]: (content) => {
    decodeIa5(content, 'dNSName');
  },
  [generalNameTags.uniformResourceIdentifier]: (content) => {
    const uri = decodeIa5(content, 'uniformResourceIdentifier');
    const parsed = parseUriHost(uri);
    if ('problem' in parsed) throw new DerError(`x509: cannot parse URI ${quote(uri)}: ${parsed.problem}`);
    if (parsed.host !== '' && !isDomainName(parsed.host)) {
      throw new DerError(`x509: cannot parse URI ${quote(uri)}: invalid domain`);
    }
  },
  [generalNameTags.iPAddress]: ({ length }) => {
    if (length !== 4 && length !== 16)
      throw new DerError(`x509: cannot parse IP address of length ${length}`);
  },
};

function decodeIa5(content: Buffer, nameType: string): string {
  if (!isIa5String(content)) throw new DerError(`x509: SAN ${nameType} is malformed`);
  return content.toString('latin1');
}
