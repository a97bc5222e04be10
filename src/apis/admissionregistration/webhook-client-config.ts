// The schemas of WebhookClientConfig, sideEffects and reinvocationPolicy.
import { bytes, int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const ServiceReference = struct(
  'admissionregistration/v1.ServiceReference',
  {
    namespace: field(1, string, { required: true, doc: 'The namespace of the service.' }),
    name: field(2, string, { required: true, doc: 'The name of the service.' }),
    path: field(3, optional(string), { doc: 'The URL path of the requests.' }),
    port: field(4, optional(int32), { default: 443, doc: 'The port of the service, 1 to 65535.' }),
  },
  { doc: 'A reference to the service of a webhook.' },
);

export const WebhookClientConfig = struct(
  'admissionregistration/v1.WebhookClientConfig',
  {
    url: field(3, optional(string), {
      doc: 'The URL of the webhook: https://host[:port]/path, without user, query or fragment. Mutually exclusive with `service`.',
    }),
    service: field(1, optional(ServiceReference), { doc: 'The service of the webhook, in the cluster.' }),
    caBundle: field(2, bytes, {
      doc: "PEM certificates of the CAs that verify the webhook's certificate. Defaults to the system trust roots of the server.",
    }),
  },
  { doc: 'How to connect to a webhook.' },
);
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;

export const sideEffectClass = named(
  'admissionregistration/v1.SideEffectClass',
  publishedEnum('Unknown', 'None', 'Some', 'NoneOnDryRun'),
);

export const reinvocationPolicyType = named(
  'admissionregistration/v1.ReinvocationPolicyType',
  publishedEnum('Never', 'IfNeeded'),
);
