// The schema of CustomResourceConversion.
import { list } from '../../schema/collections.ts';
import { bytes, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const ServiceReference = struct(
  'apiextensions/v1.ServiceReference',
  {
    namespace: field(1, string, { required: true, doc: 'Where the Service is.' }),
    name: field(2, string, { required: true, doc: 'The Service.' }),
    path: field(3, optional(string), { doc: 'The path of the requests.' }),
    port: field(4, optional(int32), { default: 443, doc: 'The port of the Service, 1 to 65535.' }),
  },
  { doc: 'A Service that answers a webhook.' },
);

const WebhookClientConfig = struct(
  'apiextensions/v1.WebhookClientConfig',
  {
    url: field(3, optional(string), {
      doc: 'Where the webhook is: https://host[:port]/path, without user, query or fragment. Either this or `service`.',
    }),
    service: field(1, optional(ServiceReference), { doc: 'The Service that answers, inside the cluster.' }),
    caBundle: field(2, bytes, {
      doc: "Certificates (PEM) that sign the webhook's; without them, those that the server's system trusts.",
    }),
  },
  { doc: 'How the webhook is reached.' },
);

const WebhookConversion = struct(
  'apiextensions/v1.WebhookConversion',
  {
    clientConfig: field(2, optional(WebhookClientConfig), { doc: 'How the webhook is reached.' }),
    conversionReviewVersions: field(3, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The versions of ConversionReview that the webhook understands, the best first. The first that the server knows is used.',
    }),
  },
  { doc: 'A webhook that turns objects of one version into another.' },
);

export const CustomResourceConversion = struct(
  'apiextensions/v1.CustomResourceConversion',
  {
    strategy: field(1, named('apiextensions/v1.ConversionStrategyType', oneOf('None', 'Webhook')), {
      required: true,
      doc: 'None: only apiVersion is changed. Webhook: a webhook is asked.',
    }),
    webhook: field(2, optional(WebhookConversion), { doc: 'The webhook, where the strategy is Webhook.' }),
  },
  { doc: 'How objects are turned from one version into another.' },
);
export type CustomResourceConversion = Infer<typeof CustomResourceConversion>;
