import type { TLSSocket } from 'node:tls';
import { type Authenticator, type Credentials, known, Refusal, type Verdict } from './authenticator.ts';

/** Client certificates: the subject's common name is the user, its organizations are the groups. */
export class ClientCertificates implements Authenticator {
  /** A connection's certificate does not change, and reading it is slow. */
  readonly #seen = new WeakMap<TLSSocket, { verdict: Verdict }>();

  authenticate({ connection }: Credentials): Verdict {
    if (connection === undefined) return undefined;
    let seen = this.#seen.get(connection);
    if (seen === undefined) {
      seen = { verdict: readCertificate(connection) };
      this.#seen.set(connection, seen);
    }
    return seen.verdict;
  }
}

function readCertificate(connection: TLSSocket): Verdict {
  const { subject } = connection.getPeerCertificate() ?? {};
  if (subject === undefined) return undefined;
  if (!connection.authorized) return new Refusal('the certificate is not believed');
  const name = first(subject.CN);
  if (name === '') return new Refusal('the certificate names nobody');
  return { user: known({ name, uid: '', groups: all(subject.O), extra: {} }) };
}

function all(values: string | string[] | undefined): string[] {
  return values === undefined ? [] : Array.isArray(values) ? values : [values];
}

function first(values: string | string[] | undefined): string {
  return all(values)[0] ?? '';
}
