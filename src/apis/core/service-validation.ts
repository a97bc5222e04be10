// Service: validation of the spec and of annotations, on create and update (upstream: ValidateService).
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.

import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { type AddressRules, addressRules, validateNonSpecialIp } from '../../kind/meta/address-rules.ts';
import { validateLabels } from '../../kind/meta/validation.ts';
import { dnsLabel, dnsSubdomain, portName, portNumber, qualifiedName } from '../../schema/names.ts';
import type { Service } from './service.ts';
import { validateClusterIps } from './service-addresses.ts';
import type { ServicePort } from './service-spec.ts';
import {
  isExternallyAccessible,
  isHeadless,
  isLoadBalancer,
  needsHealthCheckNodePort,
} from './service-traits.ts';

const serviceTypes = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const sessionAffinities = ['ClientIP', 'None'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const trafficPolicies = ['Cluster', 'Local'];
const maxClientIPTimeoutSeconds = 86_400;
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

/** Validates everything but metadata. Addresses that `old` already has stay valid. */
export function validateService(
  service: Service,
  old: Service | undefined,
  context: KindContext,
): FieldError[] {
  const addresses = addressRules(context);
  return [
    ...validateTopologyAnnotations(service, context),
    ...validateByType(service),
    ...validatePorts(service),
    ...validateSelector(service),
    ...validateAffinity(service),
    ...validateClusterIps(service, old, addresses),
    ...validateExternalIps(service, old, addresses),
    ...validateType(service),
    ...validateNodePorts(service),
    ...validatePortsUnique(service),
    ...validateSourceRanges(service, old, addresses, context),
    ...validateAllocateNodePorts(service),
    ...validateLoadBalancerClass(service),
    ...validateTrafficPolicies(service, context),
  ];
}

function validateTopologyAnnotations({ metadata }: Service, { dialect }: KindContext): FieldError[] {
  const { topologyMode, topologyAwareHints } = dialect.annotations;
  const mode = metadata.annotations?.[topologyMode];
  const hints = metadata.annotations?.[topologyAwareHints];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  return [
    invalid(
      `metadata.annotations[${topologyMode}]`,
      mode,
      `must match annotations[${topologyAwareHints}] when both are specified`,
    ),
  ];
}

function validateByType(service: Service): FieldError[] {
  const { type, ports = [], clusterIPs = [] } = service.spec;
  const errors: FieldError[] = [];
  if (ports.length === 0 && !isHeadless(service) && type !== 'ExternalName')
    errors.push(required('spec.ports'));
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(service)) {
    errors.push(
      invalid('spec.clusterIPs[0]', clusterIPs[0], `may not be set to 'None' for ${type} services`),
    );
  }
  return type === 'ExternalName' ? [...errors, ...validateExternalName(service)] : errors;
}

function validateExternalName({ spec }: Service): FieldError[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = '' } = spec;
  const errors: FieldError[] = [];
  const forbidField = (name: string, isSet: boolean) => {
    if (isSet) errors.push(forbidden(`spec.${name}`, 'may not be set for ExternalName services'));
  };
  forbidField('clusterIPs', clusterIPs.length > 0);
  forbidField('ipFamilies', ipFamilies.length > 0);
  forbidField('ipFamilyPolicy', ipFamilyPolicy !== undefined);
  // A trailing dot marks a fully qualified domain name.
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName;
  if (name === '') errors.push(required('spec.externalName'));
  else
    addErrors(
      errors,
      dnsSubdomain(name).map((problem) => invalid('spec.externalName', name, problem)),
    );
  return errors;
}

function validatePorts({ spec: { ports = [] } }: Service): FieldError[] {
  const seenNames = new Set<string>();
  const isNameRequired = ports.length > 1;
  return ports.flatMap((port, i) => validatePort(port, `spec.ports[${i}]`, { isNameRequired, seenNames }));
}

function validatePort(
  port: ServicePort,
  path: string,
  { isNameRequired, seenNames }: { isNameRequired: boolean; seenNames: Set<string> },
): FieldError[] {
  const errors: FieldError[] = [];
  const { name, protocol, targetPort = 0, appProtocol } = port;
  const addProblems = (field: string, value: unknown, problems: string[]) =>
    addErrors(
      errors,
      problems.map((problem) => invalid(`${path}.${field}`, value, problem)),
    );
  if (name) {
    addProblems('name', name, dnsLabel(name));
    if (seenNames.has(name)) errors.push(duplicate(`${path}.name`, name));
    seenNames.add(name);
  } else if (isNameRequired) {
    errors.push(required(`${path}.name`));
  }
  addProblems('port', port.port, portNumber(port.port));
  if (!protocol) errors.push(required(`${path}.protocol`));
  else if (!protocols.includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, protocols));
  const targetProblems = typeof targetPort === 'number' ? portNumber(targetPort) : portName(targetPort);
  addProblems('targetPort', targetPort, targetProblems);
  if (appProtocol !== undefined) addProblems('appProtocol', appProtocol, qualifiedName(appProtocol));
  return errors;
}

function validateSelector({ spec: { selector } }: Service): FieldError[] {
  const errors: FieldError[] = [];
  if (selector) validateLabels(selector, 'spec.selector', errors);
  return errors;
}

function validateAffinity({ spec: { sessionAffinity = '', sessionAffinityConfig } }: Service): FieldError[] {
  if (!sessionAffinities.includes(sessionAffinity)) {
    return [notSupported('spec.sessionAffinity', sessionAffinity, sessionAffinities)];
  }
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (
    sessionAffinity === 'None' ||
    seconds === undefined ||
    (seconds > 0 && seconds <= maxClientIPTimeoutSeconds)
  )
    return [];
  // The message says `less than`, although the maximum itself is valid.
  return [
    invalid(
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds',
      seconds,
      `must be greater than 0 and less than ${maxClientIPTimeoutSeconds}`,
    ),
  ];
}

function validateExternalIps({ spec }: Service, old: Service | undefined, rules: AddressRules): FieldError[] {
  const oldValues = new Set(old?.spec.externalIPs);
  return (spec.externalIPs ?? []).flatMap((ip, i) => {
    const formatProblems = rules.ip(ip, oldValues);
    const problems = formatProblems.length > 0 ? formatProblems : validateNonSpecialIp(ip);
    return problems.map((problem) => invalid(`spec.externalIPs[${i}]`, ip, problem));
  });
}

function validateType({ spec: { type = '' } }: Service): FieldError[] {
  return serviceTypes.includes(type) ? [] : [notSupported('spec.type', type, serviceTypes)];
}

function validateNodePorts({ spec: { type, ports = [] } }: Service): FieldError[] {
  const errors: FieldError[] = [];
  ports.forEach(({ nodePort }, i) => {
    if (type !== 'ClusterIP' || !nodePort) return;
    errors.push(forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  });
  const seen = new Set<string>();
  ports.forEach(({ protocol, nodePort }, i) => {
    if (!nodePort) return;
    const portKey = `${protocol} ${nodePort}`;
    if (seen.has(portKey)) errors.push(duplicate(`spec.ports[${i}].nodePort`, nodePort));
    seen.add(portKey);
  });
  return errors;
}

function validatePortsUnique({ spec: { ports = [] } }: Service): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap(({ protocol = '', port }, i) => {
    const portKey = `${protocol} ${port}`;
    if (seen.has(portKey)) return [duplicate(`spec.ports[${i}]`, formatPortKey(protocol, port))];
    seen.add(portKey);
    return [];
  });
}

/** kube-apiserver compares, and prints, a ServicePort with only these two fields. */
function formatPortKey(protocol: string, port: number): FormattedValue {
  return new FormattedValue(
    `core.ServicePort{Name:"", Protocol:${JSON.stringify(protocol)}, AppProtocol:(*string)(nil), Port:${port}, ` +
      'TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
  );
}

/** Source ranges come from spec.loadBalancerSourceRanges or from the older annotation. */
function validateSourceRanges(
  service: Service,
  old: Service | undefined,
  rules: AddressRules,
  { dialect }: KindContext,
): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [] } = service.spec;
  const validateIsLoadBalancer = (path: string) =>
    isLoadBalancer(service) ? [] : [forbidden(path, onlyForLoadBalancers)];
  const trimAll = (texts: readonly string[] = []) => new Set(texts.map((text) => text.trim()));
  const validateRange = (text: string, path: string, oldValues: ReadonlySet<string>) =>
    rules.cidr(text.trim(), oldValues).map((problem) => invalid(path, text.trim(), problem));
  if (ranges.length > 0) {
    // kube-apiserver writes this path with a capital letter.
    const path = 'spec.LoadBalancerSourceRanges';
    const oldValues = trimAll(old?.spec.loadBalancerSourceRanges);
    return [
      ...validateIsLoadBalancer(path),
      ...ranges.flatMap((range, i) => validateRange(range, `${path}[${i}]`, oldValues)),
    ];
  }
  const name = dialect.annotations.loadBalancerSourceRanges;
  const annotation = service.metadata.annotations?.[name];
  if (annotation === undefined) return [];
  const path = `metadata.annotations[${name}]`;
  if (annotation.trim() === '') return validateIsLoadBalancer(path);
  const oldValues = trimAll(old?.metadata.annotations?.[name]?.split(','));
  return [
    ...validateIsLoadBalancer(path),
    ...annotation.split(',').flatMap((range) => validateRange(range, path, oldValues)),
  ];
}

function validateAllocateNodePorts(service: Service): FieldError[] {
  const path = 'spec.allocateLoadBalancerNodePorts';
  const isSet = service.spec.allocateLoadBalancerNodePorts !== undefined;
  if (isLoadBalancer(service)) return isSet ? [] : [required(path)];
  return isSet ? [forbidden(path, onlyForLoadBalancers)] : [];
}

export function validateLoadBalancerClass(service: Service): FieldError[] {
  const { loadBalancerClass } = service.spec;
  const path = 'spec.loadBalancerClass';
  if (loadBalancerClass === undefined) return [];
  if (!isLoadBalancer(service)) return [forbidden(path, onlyForLoadBalancers)];
  return qualifiedName(loadBalancerClass).map((problem) => invalid(path, loadBalancerClass, problem));
}

function validateTrafficPolicies(service: Service, { features }: KindContext): FieldError[] {
  const { externalTrafficPolicy = '', healthCheckNodePort = 0, internalTrafficPolicy } = service.spec;
  const { type, trafficDistribution } = service.spec;
  const errors: FieldError[] = [];
  const externalPath = 'spec.externalTrafficPolicy';
  if (!isExternallyAccessible(service)) {
    if (externalTrafficPolicy !== '') {
      const problem = 'may only be set for externally-accessible services';
      errors.push(invalid(externalPath, externalTrafficPolicy, problem));
    }
  } else if (!trafficPolicies.includes(externalTrafficPolicy)) {
    errors.push(notSupported(externalPath, externalTrafficPolicy, trafficPolicies));
  }
  addErrors(errors, validateHealthCheckNodePort(service, healthCheckNodePort));
  const internalPath = 'spec.internalTrafficPolicy';
  if (internalTrafficPolicy === undefined) {
    if (serviceTypes.includes(type ?? '') && type !== 'ExternalName') errors.push(required(internalPath));
  } else if (!trafficPolicies.includes(internalTrafficPolicy)) {
    errors.push(notSupported(internalPath, internalTrafficPolicy, trafficPolicies));
  }
  const distributions = features.enabled('PreferSameTrafficDistribution')
    ? ['PreferClose', 'PreferSameZone', 'PreferSameNode']
    : ['PreferClose'];
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution)) {
    errors.push(notSupported('spec.trafficDistribution', trafficDistribution, distributions));
  }
  return errors;
}

function validateHealthCheckNodePort(service: Service, port: number): FieldError[] {
  const path = 'spec.healthCheckNodePort';
  if (needsHealthCheckNodePort(service)) {
    return port === 0 ? [required(path)] : portNumber(port).map((problem) => invalid(path, port, problem));
  }
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [invalid(path, port, detail)];
}
