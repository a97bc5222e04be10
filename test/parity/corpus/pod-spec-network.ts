import { ask, type JsonObject, subject } from '../case.ts';
import { template } from './pod-spec-cases.ts';

const dns = (dnsConfig: JsonObject, dnsPolicy = 'ClusterFirst') => template({ dnsConfig, dnsPolicy });
const search = (...searches: string[]) => dns({ searches });

export const podNetwork = subject('pod-spec-network', [
  ask(
    'where names are looked up',
    template({ dnsPolicy: 'Nope' }),
    template({ dnsPolicy: 'Default' }),
    template({ dnsPolicy: 'None' }),
    dns({}, 'None'),
    dns(
      {
        nameservers: ['1.2.3.4', '::1', '1.2.3.5'],
        searches: ['a.b.', 'c'],
        options: [{ name: 'ndots', value: '2' }, { name: 'x' }],
      },
      'None',
    ),
    dns({ nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] }),
    dns({ nameservers: ['x', ''] }),
    dns({ nameservers: ['010.0.0.1', '::ffff:1.2.3.4', '2001:DB8::1'] }),
    dns({ nameservers: ['2001:DB8::1'] }),
    dns({ options: [{ value: 'x' }] }),
    search(...Array.from({ length: 33 }, (_, i) => `a${i}`)),
    search(...Array.from({ length: 10 }, () => 'a'.repeat(250))),
    ['.', '', 'A', 'a_b', '_a._b', '-a', 'a..b', 'a.', '..', 'a b', 'a'.repeat(254)].map((domain) =>
      search(domain),
    ),
  ),
  ask(
    'names of the pod',
    template({ hostname: 'a', subdomain: 'b', setHostnameAsFQDN: true }),
    template({ hostname: 'A', subdomain: 'b.c' }),
    template({ hostname: 'a'.repeat(64) }),
    template({ hostAliases: [{ ip: '1.2.3.4', hostnames: ['a', 'b.c'] }] }),
    template({ hostAliases: [{ ip: 'x', hostnames: ['A_', 'ok', '-'] }] }),
    template({ hostAliases: [{ hostnames: ['a'] }] }),
    template({ hostAliases: [{ ip: '01.2.3.4' }] }),
    template({ hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }] }),
    template({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }),
    template({ enableServiceLinks: false }),
  ),
]);
