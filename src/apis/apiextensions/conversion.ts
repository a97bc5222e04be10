// CustomResourceDefinition: the schema of spec.conversion (CustomResourceConversion). Field numbers are those of protobuf.
import { list } from '../../schema/collections.ts';
import { bytes, int32, named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const ServiceReference = struct(
  'apiextensions/v1.ServiceReference',
  {
    namespace: field(1, string, { required: true, doc: 'The namespace of the service.' }),
    name: field(2, string, { required: true, doc: 'The name of the service.' }),
    path: field(3, optional(string), { doc: 'The URL path of the requests.' }),
    port: field(4, optional(int32), { default: 443, doc: 'The port of the service, 1 to 65535.' }),
  },
  { doc: 'A reference to the service of a webhook.' },
);

const WebhookClientConfig = struct(
  'apiextensions/v1.WebhookClientConfig',
  {
    url: field(3, optional(string), {
      doc: 'The URL of the webhook: https://host[:port]/path, without user, query or fragment. Mutually exclusive with `service`.',
    }),
    service: field(1, optional(ServiceReference), { doc: 'The service of the webhook, in the cluster.' }),
    caBundle: field(2, bytes, {
      doc: "PEM certificates of the CAs that verify the webhook's certificate. Defaults to the system trust roots of the server.",
    }),
  },
  { doc: 'How to connect to the webhook.' },
);

const WebhookConversion = struct(
  'apiextensions/v1.WebhookConversion',
  {
    clientConfig: field(2, optional(WebhookClientConfig), { doc: 'How to connect to the webhook.' }),
    conversionReviewVersions: field(3, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The ConversionReview versions that the webhook accepts, in order of preference. The server uses the first one it supports.',
    }),
  },
  { doc: 'A webhook that converts objects between versions.' },
);

export const CustomResourceConversion = struct(
  'apiextensions/v1.CustomResourceConversion',
  {
    strategy: field(1, named('apiextensions/v1.ConversionStrategyType', openEnum('None', 'Webhook')), {
      required: true,
      doc: 'None: only apiVersion is changed. Webhook: a webhook converts the object.',
    }),
    webhook: field(2, optional(WebhookConversion), { doc: 'The webhook, for strategy Webhook.' }),
  },
  { doc: 'How custom resources are converted between versions.' },
);
export type CustomResourceConversion = Infer<typeof CustomResourceConversion>;
