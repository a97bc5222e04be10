import type { TLSSocket } from 'node:tls';
import { type Authenticator, authenticatedGroup, type Credentials, type Verdict } from './authenticator.ts';

/** Client certificates: the subject's common name is the user, its organizations are the groups. */
export class ClientCertificates implements Authenticator {
  /** A connection's certificate does not change, and reading it is slow. */
  readonly #known = new WeakMap<TLSSocket, { verdict: Verdict }>();

  authenticate({ connection }: Credentials): Verdict {
    if (connection === undefined) return undefined;
    let known = this.#known.get(connection);
    if (known === undefined) {
      known = { verdict: readCertificate(connection) };
      this.#known.set(connection, known);
    }
    return known.verdict;
  }
}

function readCertificate(connection: TLSSocket): Verdict {
  const { subject } = connection.getPeerCertificate() ?? {};
  if (subject === undefined) return undefined;
  if (!connection.authorized) return 'refused';
  const name = first(subject.CN);
  if (name === '') return 'refused';
  return { name, uid: '', groups: [...all(subject.O), authenticatedGroup], extra: {} };
}

function all(values: string | string[] | undefined): string[] {
  return values === undefined ? [] : Array.isArray(values) ? values : [values];
}

function first(values: string | string[] | undefined): string {
  return all(values)[0] ?? '';
}
