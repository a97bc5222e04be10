// The schemas of WebhookClientConfig and reinvocationPolicy.
import { bytes, documentedEnum, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const ServiceReference = struct(
  'admissionregistration/v1.ServiceReference',
  {
    namespace: field(1, string, { required: true, doc: 'Where the Service is.' }),
    name: field(2, string, { required: true, doc: 'The Service.' }),
    path: field(3, optional(string), { doc: 'The path of the requests.' }),
    port: field(4, optional(int32), { default: 443, doc: 'The port of the Service, 1 to 65535.' }),
  },
  { doc: 'A Service that answers a webhook.' },
);

export const WebhookClientConfig = struct(
  'admissionregistration/v1.WebhookClientConfig',
  {
    url: field(3, optional(string), {
      doc: 'Where the webhook is: https://host[:port]/path, without user, query or fragment. Either this or `service`.',
    }),
    service: field(1, optional(ServiceReference), { doc: 'The Service that answers, inside the cluster.' }),
    caBundle: field(2, bytes, {
      doc: "Certificates (PEM) that sign the webhook's; without them, those that the server's system trusts.",
    }),
  },
  { doc: 'How a webhook is reached.' },
);
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;

export const sideEffectClass = named(
  'admissionregistration/v1.SideEffectClass',
  documentedEnum('Unknown', 'None', 'Some', 'NoneOnDryRun'),
);

export const reinvocationPolicyType = named(
  'admissionregistration/v1.ReinvocationPolicyType',
  documentedEnum('Never', 'IfNeeded'),
);
