// Domain names and mailboxes that Go's crypto/x509 accepts in subject alternative names and name constraints.

/** Labels of printable ASCII characters of any length. */
export const isDomainName = (name: string) => name.split('.').every((label) => /^[!-~]+$/.test(label));

/** An empty constraint matches all names; one with a leading dot matches subdomains. */
export const isDomainConstraint = (name: string) => name === '' || isDomainName(name.replace(/^\./, ''));

const atom = "(?:[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~]|\\\\[\\s\\S])";
const quoted =
  '"(?:[\\x01-\\x08\\x0b\\x0c\\x0e-\\x21\\x23-\\x5b\\x5d-\\x7f]|\\\\[\\x01-\\x09\\x0b\\x0c\\x0e-\\x7f])*"';
const mailbox = new RegExp(`^(?:${quoted}|${atom}+(?:\\.${atom}+)*)@([\\s\\S]*)$`);

/** The local part is a dot-string or quoted string (RFC 5321); the domain may be empty. */
export function isMailbox(text: string): boolean {
  const match = mailbox.exec(text);
  return match !== null && (match[1] === '' || isDomainName(match[1]!));
}
