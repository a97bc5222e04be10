// HostAlias and PodDNSConfig: schemas.
import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const HostAlias = struct(
  'core/v1.HostAlias',
  {
    ip: field(1, string, { required: true, doc: 'The IP address of the entry.' }),
    hostnames: field(2, list(string, { type: 'atomic' }), { doc: 'The host names for the IP address.' }),
  },
  { doc: "An entry of the pod's hosts file." },
);
export type HostAlias = Infer<typeof HostAlias>;

const PodDNSConfigOption = struct(
  'core/v1.PodDNSConfigOption',
  {
    name: field(1, string, { doc: 'The name of the option. Required.' }),
    value: field(2, optional(string), { doc: 'The value of the option, if it has one.' }),
  },
  { doc: 'A DNS resolver option.' },
);

export const PodDNSConfig = struct(
  'core/v1.PodDNSConfig',
  {
    nameservers: field(1, list(string, { type: 'atomic' }), { doc: 'IP addresses of DNS name servers.' }),
    searches: field(2, list(string, { type: 'atomic' }), { doc: 'DNS search domains.' }),
    options: field(3, list(PodDNSConfigOption, { type: 'atomic' }), { doc: 'DNS resolver options.' }),
  },
  { doc: 'DNS parameters of a pod, in addition to those of its DNS policy.' },
);
export type PodDNSConfig = Infer<typeof PodDNSConfig>;
