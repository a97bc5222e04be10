// Webhooks: posts a review to the URL or Service of a clientConfig.
import type { WebhookClient } from '../apis/webhook-client.ts';
import {
  type WebhookAddress,
  WebhookCallError,
  type WebhookCallOptions,
  WebhookConnectionPool,
} from './client.ts';
import { parseWebhookUrl, ServiceResolutionError, type ServiceResolver } from './service-resolver.ts';

/** A webhook with its clientConfig and its own connection pool. */
export interface WebhookEndpoint {
  readonly clientConfig: WebhookClient & { readonly caBundle?: string };
  /** Created at the first call. */
  connections: WebhookConnectionPool | undefined;
}

/** Posts a review and returns the body of the response. Throws WebhookCallError or InvalidCABundle. */
export function postReview(
  webhook: WebhookEndpoint,
  services: ServiceResolver,
  json: string,
  options: WebhookCallOptions,
): Promise<Buffer> {
  const { caBundle = '' } = webhook.clientConfig;
  webhook.connections ??= new WebhookConnectionPool(
    caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString(),
  );
  return webhook.connections.post(resolveAddress(webhook, services, options.timeoutMs), json, options);
}

function resolveAddress(
  { clientConfig }: WebhookEndpoint,
  services: ServiceResolver,
  timeoutMs: number,
): WebhookAddress {
  const { url, service } = clientConfig;
  if (url !== undefined) return parseWebhookUrl(url);
  try {
    return services.resolve(service!);
  } catch (error) {
    if (!(error instanceof ServiceResolutionError)) throw error;
    throw new WebhookCallError(
      `Post "${error.url}?timeout=${formatSeconds(timeoutMs)}": ${error.message}`,
      503,
    );
  }
}

/** Go's format of whole seconds, rounded up. */
const formatSeconds = (ms: number) => `${Math.ceil(ms / 1000)}s`;
