// Schema of Ingress.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { documentedEnum, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { TypedLocalObjectReference } from '../core/local-object-reference.ts';
import { protocol } from '../core/protocol.ts';

const ServiceBackendPort = struct(
  'networking/v1.ServiceBackendPort',
  {
    name: field(1, string, { doc: 'The name of the port in the service.' }),
    number: field(2, int32, { doc: 'Its number there. One of the two is given.' }),
  },
  { atomic: true, doc: 'A port of a service.' },
);

export const IngressServiceBackend = struct(
  'networking/v1.IngressServiceBackend',
  {
    name: field(1, string, { required: true, doc: 'The name of the service, in the same namespace.' }),
    port: field(2, ServiceBackendPort, { doc: 'Its port.' }),
  },
  { doc: 'A service that answers.' },
);
export type IngressServiceBackend = Infer<typeof IngressServiceBackend>;

export const IngressBackend = struct(
  'networking/v1.IngressBackend',
  {
    service: field(4, optional(IngressServiceBackend), { doc: 'A service.' }),
    resource: field(3, optional(TypedLocalObjectReference), {
      doc: 'Another object in the same namespace. One of the two is given.',
    }),
  },
  { doc: 'Who answers.' },
);
export type IngressBackend = Infer<typeof IngressBackend>;

export const IngressTLS = struct(
  'networking/v1.IngressTLS',
  {
    hosts: field(1, list(string, { type: 'atomic' }), {
      doc: 'The names in the certificate; those of the controller by default.',
    }),
    secretName: field(2, string, { doc: 'The secret with certificate and key.' }),
  },
  { doc: 'How connections to some names are secured.' },
);
export type IngressTLS = Infer<typeof IngressTLS>;

export const HTTPIngressPath = struct(
  'networking/v1.HTTPIngressPath',
  {
    path: field(1, string, { doc: 'The path; it begins with a slash.' }),
    pathType: field(
      3,
      optional(named('networking/v1.PathType', documentedEnum('Exact', 'Prefix', 'ImplementationSpecific'))),
      {
        required: true,
        doc: 'Exact is this path alone, Prefix also those below it, ImplementationSpecific is up to the controller.',
      },
    ),
    backend: field(2, IngressBackend, { required: true, doc: 'Who answers.' }),
  },
  { doc: 'Paths, and who answers for them.' },
);
export type HTTPIngressPath = Infer<typeof HTTPIngressPath>;

const HTTPIngressRuleValue = struct(
  'networking/v1.HTTPIngressRuleValue',
  {
    paths: field(1, list(HTTPIngressPath, { type: 'atomic' }), {
      required: true,
      doc: 'Paths, and who answers for them.',
    }),
  },
  { doc: 'Where requests for a host go, by their path.' },
);

const IngressRuleValue = struct(
  'networking/v1.IngressRuleValue',
  {
    http: field(1, optional(HTTPIngressRuleValue), { doc: 'Where HTTP requests go, by their path.' }),
  },
  { doc: 'Where requests go. Without anything, to the default backend.' },
);

export const IngressRule = struct(
  'networking/v1.IngressRule',
  {
    host: field(1, string, {
      doc: 'The host that is asked for: a name, or *. and a domain for every name right below it. Empty means any.',
    }),
    ...inline(2, IngressRuleValue),
  },
  { doc: 'Where requests for one host go.' },
);
export type IngressRule = Infer<typeof IngressRule>;

const IngressSpec = struct(
  'networking/v1.IngressSpec',
  {
    ingressClassName: field(4, optional(string), { doc: 'The class, and with it the controller.' }),
    defaultBackend: field(1, optional(IngressBackend), {
      doc: 'Who answers what no rule is about. It must be given where there are no rules.',
    }),
    tls: field(2, list(IngressTLS, { type: 'atomic' }), { doc: 'How connections are secured.' }),
    rules: field(3, list(IngressRule, { type: 'atomic' }), { doc: 'Where requests go, by host and path.' }),
  },
  { doc: 'Where requests from outside go.' },
);

const IngressPortStatus = struct(
  'networking/v1.IngressPortStatus',
  {
    port: field(1, int32, { required: true, doc: 'The number of the port.' }),
    protocol: field(2, protocol, { required: true, doc: 'Its protocol.' }),
    error: field(3, optional(string), { doc: 'What is wrong with it, in one word for machines.' }),
  },
  { doc: 'How one port of a load balancer is doing.' },
);

const IngressLoadBalancerIngress = struct(
  'networking/v1.IngressLoadBalancerIngress',
  {
    ip: field(1, string, { doc: 'Its address, where it is known by one.' }),
    hostname: field(2, string, { doc: 'Its name, where it is known by one.' }),
    ports: field(4, list(IngressPortStatus, { type: 'atomic' }), { doc: 'How its ports are doing.' }),
  },
  { doc: 'One way into the load balancer.' },
);

const IngressLoadBalancerStatus = struct(
  'networking/v1.IngressLoadBalancerStatus',
  {
    ingress: field(1, list(IngressLoadBalancerIngress, { type: 'atomic' }), {
      doc: 'The ways into the load balancer.',
    }),
  },
  { doc: 'Where the load balancer is.' },
);

const IngressStatus = struct(
  'networking/v1.IngressStatus',
  { loadBalancer: field(1, IngressLoadBalancerStatus, { doc: 'Where the load balancer is.' }) },
  { doc: 'What has become of an ingress.' },
);

export const Ingress = kind(
  'networking/v1.Ingress',
  {
    spec: field(2, IngressSpec, { doc: 'Where requests go.' }),
    status: field(3, IngressStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'Leads HTTP requests from outside to services, by host and path. A controller sees to it.' },
);
export type Ingress = Infer<typeof Ingress>;
