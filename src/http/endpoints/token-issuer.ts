// OpenID Connect discovery of the service account issuer: /.well-known/openid-configuration and /openid/v1/jwks.
import { methodNotAllowed, resourceNotServed } from '../../errors/catalogue.ts';
import { negotiate } from '../../serializers/negotiate.ts';
import type { Offer } from '../../serializers/offer.ts';
import type { PathHandler, PathTable } from '../../transport/path-table.ts';
import { jsonType, sendWithHeaders } from '../../transport/response.ts';

const keysPath = '/openid/v1/jwks';
const keySetType = 'application/jwk-set+json';
const cacheForOneHour = 'public, max-age=3600';

/** The issuer of service account tokens, whose public keys are published. */
export interface DiscoverableIssuer {
  readonly issuers: readonly string[];
  readonly keys: readonly { readonly algorithm: string }[];
  keySet(): object;
}

/** `keysUri` is the JWKS URI, known once the server listens. */
export function addTokenIssuer(table: PathTable, tokens: DiscoverableIssuer, keysUri: () => string): void {
  const issuer = tokens.issuers[0] ?? '';
  // OpenID Connect requires an HTTPS issuer; without one there is no discovery.
  if (!issuer.startsWith('https://')) return;
  const algorithms = [...new Set(tokens.keys.map(({ algorithm }) => algorithm))].sort();
  addDocument(table, '/.well-known/openid-configuration', jsonType, () => ({
    issuer,
    jwks_uri: keysUri(),
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: algorithms,
  }));
  addDocument(table, keysPath, keySetType, () => tokens.keySet());
}

/** The JWKS URI of a server at this address. */
export const keysUriAt = (origin: string) => origin + keysPath;

const rejectSubpath: PathHandler = () => {
  throw resourceNotServed();
};

function addDocument(table: PathTable, path: string, type: string, content: () => object): void {
  const offer: Offer = { mediaTypes: [type], routeTypes: [type], converts: () => true };
  const handler: PathHandler = (exchange) => {
    if (exchange.request.method !== 'GET') throw methodNotAllowed();
    negotiate(exchange, offer);
    sendWithHeaders(exchange, 200, ['Content-Type', type], JSON.stringify(content()), cacheForOneHour);
  };
  table.add(path, handler);
  // The path is also served with a slash at its end; its subpaths get the 404 of a resource that is not served.
  table.addFamily({
    paths: () => [],
    find(requestPath) {
      if (requestPath === `${path}/`) return handler;
      return requestPath.startsWith(`${path}/`) ? rejectSubpath : undefined;
    },
  });
}
