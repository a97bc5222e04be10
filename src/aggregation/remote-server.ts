// API aggregation: the server behind an APIService.
import type { SecureContext } from 'node:tls';
import { createSecureContext } from 'node:tls';
import type { APIServiceSpec, ServiceReference } from '../apis/apiregistration/apiservice.ts';
import type { KeyPair } from '../pki/certificates.ts';
import { serverVerification, systemRootCertificates, trustedCertificates } from '../pki/trust.ts';
import type { RemoteResource } from './remote-discovery.ts';
import type { RemoteDescription } from './remote-openapi.ts';

const usualPort = 443;

/** Discovery and OpenAPI of a group version, as the remote server publishes them. */
export interface RemoteContent {
  readonly resources: readonly RemoteResource[];
  readonly description: RemoteDescription;
}

/** Its Service, the trust anchors for its certificate, and its last discovery. */
export class RemoteServer {
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  /** The name that its certificate must be valid for. */
  readonly serverName: string;
  readonly #spec: string;
  /** CA bundle, PEM; undefined for the system's roots, null for insecureSkipTLSVerify. */
  readonly #authorities: string | undefined | null;
  #context: SecureContext | undefined;
  #isClosed = false;
  /** The last discovery; undefined before the first one. */
  content: RemoteContent | undefined;
  /** The last discovery attempt failed. */
  isStale = true;

  /** Returns the existing server if the spec refers to the same one. */
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

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Throws InvalidCABundle. */
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
    const ca =
      this.#authorities === undefined ? systemRootCertificates() : trustedCertificates(this.#authorities);
    return ca.length > 0 ? { ca } : {};
  }
}
