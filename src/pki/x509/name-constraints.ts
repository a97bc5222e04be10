// X.509: checks name constraints: the subtrees of names that an authority may certify.
import { isIP } from 'node:net';
import { quote, quoteBytes } from '../../errors/quote.ts';
import { DerProblem } from '../der.ts';
import { contextTag, DerCursor, tag } from './der-cursor.ts';
import { isDomainConstraint, isMailbox } from './domain-name.ts';
import { isIa5 } from './name.ts';

const problem = 'x509: invalid NameConstraints extension';

export function checkNameConstraints(value: DerCursor): void {
  const outer = value.enter(tag.sequence, problem);
  const permitted = outer.readIf(contextTag(0, true), problem);
  const excluded = outer.readIf(contextTag(1, true), problem);
  if (!value.isAtEnd || !outer.isAtEnd) throw new DerProblem(problem);
  if (!permitted?.content.length && !excluded?.content.length) {
    throw new DerProblem('x509: empty name constraints extension');
  }
  for (const subtrees of [permitted, excluded]) {
    const list = new DerCursor(subtrees?.content ?? Buffer.alloc(0));
    while (!list.isAtEnd) {
      const base = list.enter(tag.sequence, problem).readAny(problem);
      checks[base.tag]?.(base.content);
    }
  }
}

const checks: Readonly<Record<number, (content: Buffer) => void>> = {
  [contextTag(1)]: (content) => {
    const name = ia5(content);
    if (!(name.includes('@') ? isMailbox(name) : isDomainConstraint(name))) refuse('rfc822Name', name);
  },
  [contextTag(2)]: (content) => {
    const name = ia5(content);
    if (!isDomainConstraint(name)) refuse('dnsName', name);
  },
  [contextTag(6)]: (content) => {
    const name = ia5(content);
    if (isIP(name))
      throw new DerProblem(`x509: failed to parse URI constraint ${quote(name)}: cannot be IP address`);
    if (!isDomainConstraint(name)) refuse('URI', name);
  },
  [contextTag(7)]: (content) => {
    const { length } = content;
    if (length !== 8 && length !== 32) {
      throw new DerProblem(`x509: IP constraint contained value of length ${length}`);
    }
    const mask = content.subarray(length / 2).toString('hex');
    if (!/^f*[ec8]?0*$/.test(mask))
      throw new DerProblem(`x509: IP constraint contained invalid mask ${mask}`);
  },
};

function ia5(content: Buffer): string {
  if (isIa5(content)) return content.toString('latin1');
  throw new DerProblem(
    `x509: invalid constraint value: x509: ${quoteBytes(content)} cannot be encoded as an IA5String`,
  );
}

function refuse(what: string, name: string): never {
  throw new DerProblem(`x509: failed to parse ${what} constraint ${quote(name)}`);
}
