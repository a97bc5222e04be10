import { list } from '../../schema/collections.ts';
import { int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { TypedLocalObjectReference } from '../core/local-object-reference.ts';
import { protocol } from '../core/protocol.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const ServiceBackendPort = struct(
  'networking/v1.ServiceBackendPort',
  {
    name: field(1, string),
    number: field(2, int32),
  },
  { atomic: true },
);
export type ServiceBackendPort = Infer<typeof ServiceBackendPort>;

export const IngressServiceBackend = struct('networking/v1.IngressServiceBackend', {
  name: field(1, string, { required: true }),
  port: field(2, ServiceBackendPort),
});
export type IngressServiceBackend = Infer<typeof IngressServiceBackend>;

export const IngressBackend = struct('networking/v1.IngressBackend', {
  service: field(4, optional(IngressServiceBackend)),
  resource: field(3, optional(TypedLocalObjectReference)),
});
export type IngressBackend = Infer<typeof IngressBackend>;

export const IngressTLS = struct('networking/v1.IngressTLS', {
  hosts: field(1, list(string, { type: 'atomic' })),
  secretName: field(2, string),
});
export type IngressTLS = Infer<typeof IngressTLS>;

export const HTTPIngressPath = struct('networking/v1.HTTPIngressPath', {
  path: field(1, string),
  pathType: field(3, optional(named('networking/v1.PathType', string)), { required: true }),
  backend: field(2, IngressBackend, { required: true }),
});
export type HTTPIngressPath = Infer<typeof HTTPIngressPath>;

export const HTTPIngressRuleValue = struct('networking/v1.HTTPIngressRuleValue', {
  paths: field(1, list(HTTPIngressPath, { type: 'atomic' }), { required: true }),
});
export type HTTPIngressRuleValue = Infer<typeof HTTPIngressRuleValue>;

export const IngressRuleValue = struct('networking/v1.IngressRuleValue', {
  http: field(1, optional(HTTPIngressRuleValue)),
});
export type IngressRuleValue = Infer<typeof IngressRuleValue>;

export const IngressRule = struct('networking/v1.IngressRule', {
  host: field(1, string),
  ...inline(2, IngressRuleValue),
});
export type IngressRule = Infer<typeof IngressRule>;

export const IngressSpec = struct('networking/v1.IngressSpec', {
  ingressClassName: field(4, optional(string)),
  defaultBackend: field(1, optional(IngressBackend)),
  tls: field(2, list(IngressTLS, { type: 'atomic' })),
  rules: field(3, list(IngressRule, { type: 'atomic' })),
});
export type IngressSpec = Infer<typeof IngressSpec>;

export const IngressPortStatus = struct('networking/v1.IngressPortStatus', {
  port: field(1, int32, { required: true }),
  protocol: field(2, protocol, { required: true }),
  error: field(3, optional(string)),
});
export type IngressPortStatus = Infer<typeof IngressPortStatus>;

export const IngressLoadBalancerIngress = struct('networking/v1.IngressLoadBalancerIngress', {
  ip: field(1, string),
  hostname: field(2, string),
  ports: field(4, list(IngressPortStatus, { type: 'atomic' })),
});
export type IngressLoadBalancerIngress = Infer<typeof IngressLoadBalancerIngress>;

export const IngressLoadBalancerStatus = struct('networking/v1.IngressLoadBalancerStatus', {
  ingress: field(1, list(IngressLoadBalancerIngress, { type: 'atomic' })),
});
export type IngressLoadBalancerStatus = Infer<typeof IngressLoadBalancerStatus>;

export const IngressStatus = struct('networking/v1.IngressStatus', {
  loadBalancer: field(1, IngressLoadBalancerStatus),
});
export type IngressStatus = Infer<typeof IngressStatus>;

export const Ingress = kind(
  'networking/v1.Ingress',
  {
    spec: field(2, IngressSpec),
    status: field(3, IngressStatus),
  },
  { doc: '' },
);
export type Ingress = Infer<typeof Ingress>;

export const ingresses = (context: KindContext) =>
  resource<Ingress>({
    group: 'networking',
    version: 'v1',
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    storagePrefix: 'ingress',
    schema: Ingress,
    strategy: plainStrategy(context, Ingress),
    subresources: { status: statusOf(context, Ingress) },
  });
