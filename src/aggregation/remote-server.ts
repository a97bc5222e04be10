import type { SecureContext } from 'node:tls';
import { createSecureContext } from 'node:tls';
import type { APIServiceSpec, ServiceReference } from '../apis/apiregistration/apiservice.ts';
import type { KeyPair } from '../pki/certificates.ts';
import { serverVerification, systemAuthorities, trustedCertificates } from '../pki/trust.ts';
import type { RemoteResource } from './remote-discovery.ts';
import type { RemoteDescription } from './remote-openapi.ts';

const usualPort = 443;

/** Discovery and OpenAPI of a group version, as the remote server publishes them. */
export interface RemoteContent {
  readonly resources: readonly RemoteResource[];
  readonly description: RemoteDescription;
}

/** A server that an APIService names: where it is, whom to believe that it is there, and what it said of itself last. */
export class RemoteServer {
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  /** What its certificate must be for. */
  readonly serverName: string;
  readonly #spec: string;
  /** PEM; undefined for those that the system trusts, null for nobody in particular. */
  readonly #authorities: string | undefined | null;
  #context: SecureContext | undefined;
  #isClosed = false;
  /** What it serves, as far as it has been asked. */
  content: RemoteContent | undefined;
  /** It has not confirmed that of late. */
  isStale = true;

  /** The server that a spec speaks of: the one there was before, where nothing of that has changed. */
  static of(spec: APIServiceSpec, before?: RemoteServer): RemoteServer {
    const { service, caBundle = '', insecureSkipTLSVerify = false } = spec;
    const text = JSON.stringify([service, caBundle, insecureSkipTLSVerify]);
    return before && before.#spec === text ? before : new RemoteServer(service!, spec, text);
  }

  private constructor(
    { namespace = '', name = '', port }: ServiceReference,
    spec: APIServiceSpec,
    text: string,
  ) {
    this.namespace = namespace;
    this.service = name;
    this.port = port ?? usualPort;
    this.serverName = `${name}.${namespace}.svc`;
    this.#spec = text;
    const { caBundle = '', insecureSkipTLSVerify } = spec;
    if (insecureSkipTLSVerify) this.#authorities = null;
    else this.#authorities = caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString();
  }

  get isChecked(): boolean {
    return this.#authorities !== null;
  }

  /** Nobody asks for it any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Whom to believe, and what to show for oneself. Throws BadAuthorities. */
  context(proof: KeyPair | undefined): SecureContext {
    this.#context ??= createSecureContext({
      ...this.#trust(),
      ...(proof && { cert: proof.certificate, key: proof.key }),
      ...serverVerification,
    });
    return this.#context;
  }

  #trust(): { ca?: string[] } {
    if (this.#authorities === null) return {};
    const ca = this.#authorities === undefined ? systemAuthorities() : trustedCertificates(this.#authorities);
    return ca.length > 0 ? { ca } : {};
  }
}
