// Ingress: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { TypedLocalObjectReference } from '../core/local-object-reference.ts';
import { protocol } from '../core/protocol.ts';

const ServiceBackendPort = struct(
  'networking/v1.ServiceBackendPort',
  {
    name: field(1, string, { doc: 'The name of the port in the service.' }),
    number: field(2, int32, { doc: 'The number of the port in the service. Mutually exclusive with name.' }),
  },
  { atomic: true, doc: 'A port of a service.' },
);

export const IngressServiceBackend = struct(
  'networking/v1.IngressServiceBackend',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the service, in the namespace of the Ingress.',
    }),
    port: field(2, ServiceBackendPort, { doc: 'The port of the service.' }),
  },
  { doc: 'A service as backend.' },
);
export type IngressServiceBackend = Infer<typeof IngressServiceBackend>;

export const IngressBackend = struct(
  'networking/v1.IngressBackend',
  {
    service: field(4, optional(IngressServiceBackend), { doc: 'A service.' }),
    resource: field(3, optional(TypedLocalObjectReference), {
      doc: 'Another object in the namespace of the Ingress. Mutually exclusive with service.',
    }),
  },
  { doc: 'The backend that handles requests.' },
);
export type IngressBackend = Infer<typeof IngressBackend>;

export const IngressTLS = struct(
  'networking/v1.IngressTLS',
  {
    hosts: field(1, list(string, { type: 'atomic' }), {
      doc: 'The host names in the certificate. Defaults to the wildcard host of the controller.',
    }),
    secretName: field(2, string, { doc: 'The Secret with the TLS certificate and key.' }),
  },
  { doc: 'The TLS configuration of some hosts.' },
);
export type IngressTLS = Infer<typeof IngressTLS>;

export const HTTPIngressPath = struct(
  'networking/v1.HTTPIngressPath',
  {
    path: field(1, string, { doc: 'The path to match. Must begin with a slash.' }),
    pathType: field(
      3,
      optional(named('networking/v1.PathType', publishedEnum('Exact', 'Prefix', 'ImplementationSpecific'))),
      {
        required: true,
        doc: 'Exact matches the path, Prefix also paths below it; ImplementationSpecific is up to the controller.',
      },
    ),
    backend: field(2, IngressBackend, { required: true, doc: 'The backend for matching requests.' }),
  },
  { doc: 'Maps a path to a backend.' },
);
export type HTTPIngressPath = Infer<typeof HTTPIngressPath>;

const HTTPIngressRuleValue = struct(
  'networking/v1.HTTPIngressRuleValue',
  {
    paths: field(1, list(HTTPIngressPath, { type: 'atomic' }), {
      required: true,
      doc: 'Maps paths to backends.',
    }),
  },
  { doc: 'The backends of a host by path.' },
);

const IngressRuleValue = struct(
  'networking/v1.IngressRuleValue',
  {
    http: field(1, optional(HTTPIngressRuleValue), { doc: 'The backends for HTTP requests by path.' }),
  },
  { doc: 'The backends of a rule. If empty, requests go to the default backend.' },
);

export const IngressRule = struct(
  'networking/v1.IngressRule',
  {
    host: field(1, string, {
      doc: 'The host of the request: a DNS name, or a wildcard such as *.example.com for names one level below. Empty matches all hosts.',
    }),
    ...inline(2, IngressRuleValue),
  },
  { doc: 'The backends of one host.' },
);
export type IngressRule = Infer<typeof IngressRule>;

const IngressSpec = struct(
  'networking/v1.IngressSpec',
  {
    ingressClassName: field(4, optional(string), {
      doc: 'The IngressClass, which determines the controller.',
    }),
    defaultBackend: field(1, optional(IngressBackend), {
      doc: 'The backend for requests that match no rule. Required if there are no rules.',
    }),
    tls: field(2, list(IngressTLS, { type: 'atomic' }), { doc: 'The TLS configuration.' }),
    rules: field(3, list(IngressRule, { type: 'atomic' }), {
      doc: 'The rules, which route requests by host and path.',
    }),
  },
  { doc: 'The specification of an Ingress.' },
);

const IngressPortStatus = struct(
  'networking/v1.IngressPortStatus',
  {
    port: field(1, int32, { required: true, doc: 'The number of the port.' }),
    protocol: field(2, protocol, { required: true, doc: 'The protocol of the port.' }),
    error: field(3, optional(string), {
      doc: 'A machine-readable error of the port (CamelCase, or domain-prefixed).',
    }),
  },
  { doc: 'The status of a port of a load balancer.' },
);

const IngressLoadBalancerIngress = struct(
  'networking/v1.IngressLoadBalancerIngress',
  {
    ip: field(1, string, { doc: 'The IP address, for load balancers that are IP based.' }),
    hostname: field(2, string, { doc: 'The hostname, for load balancers that are DNS based.' }),
    ports: field(4, list(IngressPortStatus, { type: 'atomic' }), {
      doc: 'The status of the ports of the load balancer.',
    }),
  },
  { doc: 'An ingress point of the load balancer.' },
);

const IngressLoadBalancerStatus = struct(
  'networking/v1.IngressLoadBalancerStatus',
  {
    ingress: field(1, list(IngressLoadBalancerIngress, { type: 'atomic' }), {
      doc: 'The ingress points of the load balancer.',
    }),
  },
  { doc: 'The status of the load balancer.' },
);

const IngressStatus = struct(
  'networking/v1.IngressStatus',
  { loadBalancer: field(1, IngressLoadBalancerStatus, { doc: 'The status of the load balancer.' }) },
  { doc: 'The current status of an Ingress.' },
);

export const Ingress = kind(
  'networking/v1.Ingress',
  {
    spec: field(2, IngressSpec, { doc: 'The specification of the Ingress.' }),
    status: field(3, IngressStatus, { doc: 'The current status of the Ingress.' }),
  },
  {
    doc: 'Routes HTTP requests from outside of the cluster to services, by host and path. An ingress controller implements it.',
  },
);
export type Ingress = Infer<typeof Ingress>;
