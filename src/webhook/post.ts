// Webhooks: posts a review to the URL or Service of a clientConfig.
import type { WebhookClient } from '../apis/webhook-client.ts';
import { addressOf, NoBackend, type ServiceAddresses } from './address.ts';
import { type Address, CallFailed, type CallTerms, Connections } from './client.ts';

/** Somebody outside the server who is asked, over connections of their own. */
export interface Correspondent {
  readonly clientConfig: WebhookClient & { readonly caBundle?: string };
  /** Once they have been asked. */
  connections: Connections | undefined;
}

/** Asks somebody, and reads what they answer. Throws CallFailed or BadAuthorities. */
export function post(
  whom: Correspondent,
  services: ServiceAddresses,
  json: string,
  terms: CallTerms,
): Promise<Buffer> {
  const { caBundle = '' } = whom.clientConfig;
  whom.connections ??= new Connections(
    caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString(),
  );
  return whom.connections.post(find(whom, services, terms.patience), json, terms);
}

function find({ clientConfig }: Correspondent, services: ServiceAddresses, patience: number): Address {
  const { url, service } = clientConfig;
  if (url !== undefined) return addressOf(url);
  try {
    return services.find(service!);
  } catch (error) {
    if (!(error instanceof NoBackend)) throw error;
    throw new CallFailed(`Post "${error.url}?timeout=${inSeconds(patience)}": ${error.message}`, 503);
  }
}

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)}s`;
