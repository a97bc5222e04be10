// API aggregation: the aggregated API server that an APIService refers to, with its TLS context and its last discovery.
import type { SecureContext } from 'node:tls';
import { createSecureContext } from 'node:tls';
import type { APIServiceSpec, ServiceReference } from '../apis/apiregistration/apiservice.ts';
import { parseCABundle, serverVerification, systemRootCertificates } from '../pki/ca-bundle.ts';
import type { KeyPair } from '../pki/certificates.ts';
import type { RemoteResource } from './remote-discovery.ts';
import type { RemoteOpenApi } from './remote-openapi.ts';

const defaultPort = 443;

/** The discovery and OpenAPI of a group version of an aggregated API server. */
export interface RemoteContent {
  readonly resources: readonly RemoteResource[];
  readonly openApi: RemoteOpenApi;
}

export class RemoteServer {
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  /** The name that its certificate must be valid for. */
  readonly serverName: string;
  readonly #specJson: string;
  /** CA bundle, PEM; undefined for the system's roots, null for insecureSkipTLSVerify. */
  readonly #caBundle: string | undefined | null;
  #context: SecureContext | undefined;
  #isClosed = false;
  /** The last discovery; undefined before the first one. */
  content: RemoteContent | undefined;
  /** The last discovery attempt failed. */
  isStale = true;

  /** Returns `existing` if the spec refers to the same server, so that its discovery is kept. */
  static of(spec: APIServiceSpec, existing?: RemoteServer): RemoteServer {
    const { service, caBundle = '', insecureSkipTLSVerify = false } = spec;
    const specJson = JSON.stringify([service, caBundle, insecureSkipTLSVerify]);
    return existing && existing.#specJson === specJson
      ? existing
      : new RemoteServer(service!, spec, specJson);
  }

  private constructor(
    { namespace = '', name = '', port }: ServiceReference,
    spec: APIServiceSpec,
    specJson: string,
  ) {
    this.namespace = namespace;
    this.service = name;
    this.port = port ?? defaultPort;
    this.serverName = `${name}.${namespace}.svc`;
    this.#specJson = specJson;
    const { caBundle = '', insecureSkipTLSVerify } = spec;
    if (insecureSkipTLSVerify) this.#caBundle = null;
    else this.#caBundle = caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString();
  }

  get verifiesCertificate(): boolean {
    return this.#caBundle !== null;
  }

  /** The APIService was deleted or refers to a different server: results of pending requests must be dropped. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** The TLS context of all connections, created at first use. Throws InvalidCABundle. */
  secureContext(clientCertificate: KeyPair | undefined): SecureContext {
    this.#context ??= createSecureContext({
      ...this.#trust(),
      ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.key }),
      ...serverVerification,
    });
    return this.#context;
  }

  /** The CA certificates that the server's certificate is verified against. */
  #trust(): { ca?: string[] } {
    if (this.#caBundle === null) return {};
    const ca = this.#caBundle === undefined ? systemRootCertificates() : parseCABundle(this.#caBundle);
    return ca.length > 0 ? { ca } : {};
  }
}
