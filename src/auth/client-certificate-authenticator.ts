// Authentication with client certificates: the common name is the user, the organizations are the groups.
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
  /** The CAs of client certificates; undefined if the listener accepts no other CAs and has therefore verified them. */
  clientCa(): CaBundle | undefined;
  /** The key of the credential id in the user's extra. */
  readonly credentialKey: string;
  /** Whether the subject may contain the user's uid (feature AllowParsingUserUIDFromCertAuth). */
  readonly readsUid: boolean;
}

export class ClientCertificateAuthenticator implements Authenticator {
  readonly #options: ClientCertificateOptions;
  readonly #results = new WeakMap<PeerCertificate, Identity | InvalidCredentials>();

  constructor(options: ClientCertificateOptions) {
    this.#options = options;
  }

  authenticate({ connection }: RequestCredentials): AuthenticationResult {
    const { peers, clientCa } = this.#options;
    const certificate = peers.certificateOf(connection);
    if (certificate === undefined) return undefined;
    const problem = peers.findProblem(certificate, clientCa());
    if (problem !== undefined) return new InvalidCredentials(problem);
    // Without a user name the certificate decides nothing: other credentials may.
    if (certificate.commonName === '') return undefined;
    let result = this.#results.get(certificate);
    if (result === undefined) {
      result = this.#readIdentity(certificate);
      this.#results.set(certificate, result);
    }
    return result;
  }

  #readIdentity({ commonName, organizations, uids, digest }: PeerCertificate): Identity | InvalidCredentials {
    const { credentialKey, readsUid } = this.#options;
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
