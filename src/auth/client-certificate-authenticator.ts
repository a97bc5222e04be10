import {
  type AuthenticationResult,
  type Authenticator,
  type Identity,
  InvalidCredentials,
  type RequestCredentials,
  withAuthenticatedGroup,
} from '../request/authenticator.ts';
import type { CaBundle, PeerCertificate, PeerCertificates } from './peer-certificates.ts';

export interface ClientCertificateOptions {
  readonly peers: PeerCertificates;
  /** Who may sign them; undefined where everybody whom the listener believes may. */
  clientCa(): CaBundle | undefined;
  /** The key of a user's extra that says by what the user is known. */
  readonly credentialKey: string;
  /** Whether the subject may hold the user's uid. */
  readonly readsUid: boolean;
}

/** Client certificates: the subject's common name is the user, its organizations are the groups. */
export class ClientCertificateAuthenticator implements Authenticator {
  readonly #terms: ClientCertificateOptions;
  readonly #owners = new WeakMap<PeerCertificate, Identity | InvalidCredentials>();

  constructor(terms: ClientCertificateOptions) {
    this.#terms = terms;
  }

  authenticate({ connection }: RequestCredentials): AuthenticationResult {
    const { peers, clientCa } = this.#terms;
    const certificate = peers.of(connection);
    if (certificate === undefined) return undefined;
    const problem = peers.verify(certificate, clientCa());
    if (problem !== undefined) return new InvalidCredentials(problem);
    if (certificate.commonName === '') return undefined;
    let owner = this.#owners.get(certificate);
    if (owner === undefined) {
      owner = this.#ownerOf(certificate);
      this.#owners.set(certificate, owner);
    }
    return owner;
  }

  #ownerOf({ commonName, organizations, uids, digest }: PeerCertificate): Identity | InvalidCredentials {
    const { credentialKey, readsUid } = this.#terms;
    if (readsUid && (uids.length > 1 || uids[0] === '')) {
      return new InvalidCredentials('the subject must hold one uid that is not empty, or none');
    }
    const user = {
      name: commonName,
      uid: (readsUid && uids[0]) || '',
      groups: organizations,
      extra: { [credentialKey]: [`X509SHA256=${digest}`] },
    };
    return { user: withAuthenticatedGroup(user) };
  }
}
