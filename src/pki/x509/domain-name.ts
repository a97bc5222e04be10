// X.509: the domain names that may stand in names and in name constraints.

/** Labels of printable ASCII characters, however long. */
export const isDomainName = (name: string) => name.split('.').every((label) => /^[!-~]+$/.test(label));

/** A domain name, or the empty one, which stands for all; one that begins with a dot stands for its subdomains. */
export const isDomainConstraint = (name: string) => name === '' || isDomainName(name.replace(/^\./, ''));

const atom = "(?:[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~]|\\\\[\\s\\S])";
const quoted =
  '"(?:[\\x01-\\x08\\x0b\\x0c\\x0e-\\x21\\x23-\\x5b\\x5d-\\x7f]|\\\\[\\x01-\\x09\\x0b\\x0c\\x0e-\\x7f])*"';
const mailbox = new RegExp(`^(?:${quoted}|${atom}+(?:\\.${atom}+)*)@([\\s\\S]*)$`);

/** The local part of a mailbox is a dot-string or quoted; its domain is a domain name, or none. */
export function isMailbox(text: string): boolean {
  const match = mailbox.exec(text);
  return match !== null && (match[1] === '' || isDomainName(match[1]!));
}
