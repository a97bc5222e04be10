// CertificateSigningRequests: how the certificate controllers read them and update their conditions.
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../apis/certificates/certificatesigningrequest.ts';
import type { Manifest } from '../../client/client.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { timestamp } from '../../kind/time.ts';
import type { Api } from '../../registry/api.ts';

export class SigningRequests {
  readonly resource: ServedResource;
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
    this.resource = api.registry.kind(
      api.dialect.groupName('certificates'),
      'v1',
      'certificatesigningrequests',
    );
  }

  get(key: string): CertificateSigningRequest | undefined {
    const stored = this.#api.store.get(key);
    return stored && (decodeStored(this.resource, stored) as CertificateSigningRequest);
  }

  /** Returns the request with a condition added that is true from now on. */
  withCondition(
    request: CertificateSigningRequest,
    { type, reason, message }: Pick<CertificateSigningRequestCondition, 'type' | 'reason' | 'message'>,
  ): Manifest {
    const lastUpdateTime = timestamp(this.#api.clock);
    const condition = { type, status: 'True', reason, message, lastUpdateTime };
    const conditions = [...(request.status.conditions ?? []), condition];
    return this.withStatus(request, { conditions });
  }

  withStatus(request: CertificateSigningRequest, changes: object): Manifest {
    const { apiVersion, kind } = this.resource;
    return { ...request, apiVersion, kind, status: { ...request.status, ...changes } } as unknown as Manifest;
  }
}

export function hasCondition({ status }: CertificateSigningRequest, wanted: string): boolean {
  return status.conditions?.some(({ type }) => type === wanted) ?? false;
}
