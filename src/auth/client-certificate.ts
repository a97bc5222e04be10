import {
  type Authenticator,
  type Credentials,
  type Identity,
  known,
  Refusal,
  type Verdict,
} from '../request/authenticator.ts';
import type { Authorities, PeerCertificate, PeerCertificates } from './peer-certificates.ts';

export interface ClientCertificateTerms {
  readonly peers: PeerCertificates;
  /** Who may sign them; undefined where everybody whom the listener believes may. */
  authorities(): Authorities | undefined;
  /** The key of a user's extra that says by what the user is known. */
  readonly credentialKey: string;
  /** Whether the subject may hold the user's uid. */
  readonly readsUid: boolean;
}

/** Client certificates: the subject's common name is the user, its organizations are the groups. */
export class ClientCertificates implements Authenticator {
  readonly #terms: ClientCertificateTerms;
  readonly #owners = new WeakMap<PeerCertificate, Identity | Refusal>();

  constructor(terms: ClientCertificateTerms) {
    this.#terms = terms;
  }

  authenticate({ connection }: Credentials): Verdict {
    const { peers, authorities } = this.#terms;
    const certificate = peers.of(connection);
    if (certificate === undefined) return undefined;
    const problem = peers.problem(certificate, authorities());
    if (problem !== undefined) return new Refusal(problem);
    if (certificate.commonName === '') return undefined;
    let owner = this.#owners.get(certificate);
    if (owner === undefined) {
      owner = this.#ownerOf(certificate);
      this.#owners.set(certificate, owner);
    }
    return owner;
  }

  #ownerOf({ commonName, organizations, uids, digest }: PeerCertificate): Identity | Refusal {
    const { credentialKey, readsUid } = this.#terms;
    if (readsUid && (uids.length > 1 || uids[0] === '')) {
      return new Refusal('the subject must hold one uid that is not empty, or none');
    }
    const user = {
      name: commonName,
      uid: (readsUid && uids[0]) || '',
      groups: organizations,
      extra: { [credentialKey]: [`X509SHA256=${digest}`] },
    };
    return { user: known(user) };
  }
}
