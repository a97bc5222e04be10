// Publishes the `extension-apiserver-authentication` ConfigMap, from which extension API servers read how to
// authenticate callers.
import type { Clock } from '../base/clock.ts';
import type { Client } from '../client/client.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { certificateBlocks } from '../pki/certificates.ts';
import { toPem } from '../pki/pem.ts';
import { parseCertificate } from '../pki/x509/certificate.ts';
import { ensureConfigMap } from './ensure-config-map.ts';

export interface PublishedAuthentication {
  /** The CA bundle of client certificates, PEM. */
  readonly clientCa: string;
  /** Present if front proxies may authenticate users. */
  readonly requestHeader?: RequestHeaderConfig;
}

export interface RequestHeaderConfig {
  readonly clientCa: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeadersPrefix: readonly string[];
}

/** Adds this server's configuration. CA certificates that other replicas published stay while they are valid. */
export function publishAuthentication(
  client: Client,
  dialect: Dialect,
  clock: Clock,
  { clientCa, requestHeader }: PublishedAuthentication,
): Promise<void> {
  return ensureConfigMap(client, dialect, 'extension-apiserver-authentication', (data) => {
    const mergeBundles = (key: string, ownBundle: string) => {
      const unexpired = [data[key] ?? '', ownBundle]
        .flatMap(certificateBlocks)
        .filter((certificate) => isUnexpired(certificate, clock));
      return [...new Set(unexpired.map((certificate) => toPem('CERTIFICATE', certificate)))].join('');
    };
    return {
      ...data,
      'client-ca-file': mergeBundles('client-ca-file', clientCa),
      ...(requestHeader && {
        'requestheader-client-ca-file': mergeBundles('requestheader-client-ca-file', requestHeader.clientCa),
        'requestheader-allowed-names': JSON.stringify(requestHeader.allowedNames),
        'requestheader-username-headers': JSON.stringify(requestHeader.usernameHeaders),
        ...(requestHeader.uidHeaders.length > 0 && {
          'requestheader-uid-headers': JSON.stringify(requestHeader.uidHeaders),
        }),
        'requestheader-group-headers': JSON.stringify(requestHeader.groupHeaders),
        'requestheader-extra-headers-prefix': JSON.stringify(requestHeader.extraHeadersPrefix),
      }),
    };
  });
}

/** False also for a certificate that cannot be parsed. */
function isUnexpired(certificate: Buffer, clock: Clock): boolean {
  try {
    return parseCertificate(certificate).notAfter > clock.now();
  } catch {
    return false;
  }
}
