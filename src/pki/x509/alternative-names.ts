// X.509: checks subject alternative names (GeneralNames).
import { parseUriHost } from '../../codec/uri/uri.ts';
import { quote } from '../../errors/quote.ts';
import { DerProblem } from '../der.ts';
import { contextTag, type DerCursor, type DerValue, tag } from './der-cursor.ts';
import { isDomainName } from './domain-name.ts';
import { isIa5 } from './name.ts';

/** The tags of the names that are looked into. */
export const generalName = {
  email: contextTag(1),
  dns: contextTag(2),
  uri: contextTag(6),
  address: contextTag(7),
} as const;

/** Checks and reads the names. */
export function readGeneralNames(value: DerCursor): DerValue[] {
  const list = value.enter(tag.sequence, 'x509: invalid subject alternative names');
  const names: DerValue[] = [];
  while (!list.isAtEnd) {
    const name = list.readAny('x509: invalid subject alternative name');
    checks[name.tag]?.(name.content);
    names.push(name);
  }
  return names;
}

const checks: Readonly<Record<number, (content: Buffer) => void>> = {
  [generalName.email]: (content) => {
    ia5(content, 'rfc822Name');
  },
  [generalName.dns]: (content) => {
    ia5(content, 'dNSName');
  },
  [generalName.uri]: (content) => {
    const uri = ia5(content, 'uniformResourceIdentifier');
    const parsed = parseUriHost(uri);
    if ('problem' in parsed) throw new DerProblem(`x509: cannot parse URI ${quote(uri)}: ${parsed.problem}`);
    if (parsed.host !== '' && !isDomainName(parsed.host)) {
      throw new DerProblem(`x509: cannot parse URI ${quote(uri)}: invalid domain`);
    }
  },
  [generalName.address]: ({ length }) => {
    if (length !== 4 && length !== 16)
      throw new DerProblem(`x509: cannot parse IP address of length ${length}`);
  },
};

function ia5(content: Buffer, what: string): string {
  if (!isIa5(content)) throw new DerProblem(`x509: SAN ${what} is malformed`);
  return content.toString('latin1');
}
