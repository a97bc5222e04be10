// The nameConstraints extension (RFC 5280, 4.2.1.10): validates permitted and excluded subtrees as Go does.

import { isIP } from 'node:net';
import { quote, quoteBytes } from '../../errors/quote.ts';
import { DerError } from '../der.ts';
import { generalNameTags } from './alternative-names.ts';
import { constructedContextTag, DerCursor, tag } from './der-cursor.ts';
import { isDomainConstraint, isMailbox } from './domain-name.ts';
import { isIa5String } from './name.ts';

const problem = 'x509: invalid NameConstraints extension';

export function assertValidNameConstraints(value: DerCursor): void {
  const outer = value.enter(tag.sequence, problem);
  const permitted = outer.readIf(constructedContextTag(0), problem);
  const excluded = outer.readIf(constructedContextTag(1), problem);
  if (!value.isAtEnd || !outer.isAtEnd) throw new DerError(problem);
  if (!permitted?.content.length && !excluded?.content.length) {
    throw new DerError('x509: empty name constraints extension');
  }
  for (const subtrees of [permitted, excluded]) {
    const list = new DerCursor(subtrees?.content ?? Buffer.alloc(0));
    while (!list.isAtEnd) {
      const base = list.enter(tag.sequence, problem).readAny(problem);
      baseNameValidators[base.tag]?.(base.content);
    }
  }
}

/** Each throws DerError. Other types of names are accepted. */
const baseNameValidators: Readonly<Record<number, (content: Buffer) => void>> = {
  [generalNameTags.rfc822Name]: (content) => {
    const name = decodeIa5(content);
    if (!(name.includes('@') ? isMailbox(name) : isDomainConstraint(name)))
      rejectConstraint('rfc822Name', name);
  },
  [generalNameTags.dNSName]: (content) => {
    const name = decodeIa5(content);
    if (!isDomainConstraint(name)) rejectConstraint('dnsName', name);
  },
  [generalNameTags.uniformResourceIdentifier]: (content) => {
    const name = decodeIa5(content);
    if (isIP(name))
      throw new DerError(`x509: failed to parse URI constraint ${quote(name)}: cannot be IP address`);
    if (!isDomainConstraint(name)) rejectConstraint('URI', name);
  },
  [generalNameTags.iPAddress]: (content) => {
    const { length } = content;
    if (length !== 8 && length !== 32) {
      throw new DerError(`x509: IP constraint contained value of length ${length}`);
    }
    const mask = content.subarray(length / 2).toString('hex');
    if (!/^f*[ec8]?0*$/.test(mask)) throw new DerError(`x509: IP constraint contained invalid mask ${mask}`);
  },
};

function decodeIa5(content: Buffer): string {
  if (isIa5String(content)) return content.toString('latin1');
  throw new DerError(
    `x509: invalid constraint value: x509: ${quoteBytes(content)} cannot be encoded as an IA5String`,
  );
}

function rejectConstraint(constraintType: string, name: string): never {
  throw new DerError(`x509: failed to parse ${constraintType} constraint ${quote(name)}`);
}
