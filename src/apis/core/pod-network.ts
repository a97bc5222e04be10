// HostAlias and PodDNSConfig: schemas.
import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const HostAlias = struct(
  'core/v1.HostAlias',
  {
    ip: field(1, string, { required: true, doc: 'The address.' }),
    hostnames: field(2, list(string, { type: 'atomic' }), { doc: 'The names that it goes by.' }),
  },
  { doc: "A line of the containers' hosts file." },
);
export type HostAlias = Infer<typeof HostAlias>;

const PodDNSConfigOption = struct(
  'core/v1.PodDNSConfigOption',
  {
    name: field(1, string, { doc: 'Its name. Required.' }),
    value: field(2, optional(string), { doc: 'Its value, where it has one.' }),
  },
  { doc: 'An option of the resolver.' },
);

export const PodDNSConfig = struct(
  'core/v1.PodDNSConfig',
  {
    nameservers: field(1, list(string, { type: 'atomic' }), { doc: 'Addresses of name servers.' }),
    searches: field(2, list(string, { type: 'atomic' }), { doc: 'Domains that short names are tried in.' }),
    options: field(3, list(PodDNSConfigOption, { type: 'atomic' }), { doc: 'Options of the resolver.' }),
  },
  { doc: 'How names are looked up, beside what the policy gives.' },
);
export type PodDNSConfig = Infer<typeof PodDNSConfig>;
