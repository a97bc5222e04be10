import { goDifference } from '../../errors/go-difference.ts';
import type { GoStruct, GoValue } from '../../errors/go-value.ts';
import { quote } from '../../errors/quote.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import { StringType } from '../../schema/scalars.ts';
import { type Field, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { Container, EphemeralContainer } from './container.ts';
import { PodSpec } from './pod-spec.ts';
import { quantityOf } from './resource-list.ts';
import { PodSecurityContext } from './security-context.ts';

/** How two specs differ, as the message shows that refuses the change. */
export function podSpecDifference(before: PodSpec, now: PodSpec): string {
  return goDifference(structOf(PodSpec, before), structOf(PodSpec, now));
}

export function ephemeralContainerDifference(before: EphemeralContainer, now: EphemeralContainer): string {
  return goDifference(structOf(EphemeralContainer, before), structOf(EphemeralContainer, now));
}

/** Fields of the node that a pod shares: the reference keeps them in its security context. */
const sharedWithNode = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

/** The reference compares in an order of its own, which for these types is not that of their fields here. */
const orders = new Map<string, readonly string[]>([
  [
    PodSpec.fullName,
    [
      ...['volumes', 'initContainers', 'containers', 'ephemeralContainers', 'restartPolicy'],
      ...['terminationGracePeriodSeconds', 'activeDeadlineSeconds', 'dnsPolicy', 'nodeSelector'],
      ...['serviceAccountName', 'automountServiceAccountToken', 'nodeName', 'securityContext'],
      ...['imagePullSecrets', 'hostname', 'subdomain', 'setHostnameAsFQDN', 'affinity', 'schedulerName'],
      ...['tolerations', 'hostAliases', 'priorityClassName', 'priority', 'preemptionPolicy', 'dnsConfig'],
      ...['readinessGates', 'runtimeClassName', 'overhead', 'enableServiceLinks'],
      ...['topologySpreadConstraints', 'os', 'schedulingGates', 'resourceClaims', 'resources'],
    ],
  ],
  [
    Container.fullName,
    [
      ...['name', 'image', 'command', 'args', 'workingDir', 'ports', 'envFrom', 'env', 'resources'],
      ...['resizePolicy', 'restartPolicy', 'volumeMounts', 'volumeDevices', 'livenessProbe'],
      ...['readinessProbe', 'startupProbe', 'lifecycle', 'terminationMessagePath'],
      ...['terminationMessagePolicy', 'imagePullPolicy', 'securityContext', 'stdin', 'stdinOnce', 'tty'],
    ],
  ],
  [
    PodSecurityContext.fullName,
    [
      ...['seLinuxOptions', 'windowsOptions', 'runAsUser', 'runAsGroup', 'runAsNonRoot'],
      ...['supplementalGroups', 'supplementalGroupsPolicy', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'],
      ...['seccompProfile', 'appArmorProfile', 'seLinuxChangePolicy'],
    ],
  ],
]);

type Values = Readonly<Record<string, unknown>>;

function structOf(schema: Struct<unknown>, value: unknown): GoStruct {
  const values = (value ?? {}) as Values;
  const sameOrder = schema.fullName.replace('EphemeralContainerCommon', 'Container');
  const names = orders.get(sameOrder) ?? Object.keys(schema.fields);
  const fields: [string, GoValue][] = [];
  for (const name of names) {
    const field = schema.fields[name] as Field;
    const { inlined } = field;
    if (!inlined) {
      fields.push([goName(name), fieldOf(field, name, values)]);
      continue;
    }
    const embedded = goType(inlined.struct.fullName).replace(/^.*\./, '');
    if (!fields.some(([each]) => each === embedded))
      fields.push([embedded, structOf(inlined.struct, values)]);
  }
  return { form: 'struct', type: goType(schema.fullName), fields };
}

function fieldOf(field: Field, name: string, values: Values): GoValue {
  if (field.type === PodSecurityContext) return securityOf(values);
  const value = values[name];
  if (!field.optional) return goValue(field.type, value);
  return { form: 'pointer', target: value === undefined ? undefined : goValue(field.type, value) };
}

function securityOf(spec: Values): GoValue {
  const own = structOf(PodSecurityContext, spec.securityContext);
  const shared = sharedWithNode.map((name): [string, GoValue] => [
    goName(name),
    fieldOf(PodSpec.fields[name as keyof typeof PodSpec.fields] as Field, name, spec),
  ]);
  return { form: 'pointer', target: { ...own, fields: [...shared, ...own.fields] } };
}

function goValue(type: Type, value: unknown): GoValue {
  if (type instanceof Struct) return structOf(type, value);
  if (type instanceof ListType) {
    const items = value as readonly unknown[] | undefined;
    return {
      form: 'list',
      type: `[]${goType(nameOf(type.element))}`,
      items: items?.map((item) => goValue(type.element, item)),
    };
  }
  if (type instanceof MapType) return mapOf(type, value as Values | undefined);
  switch (type.form) {
    case 'quantity':
      return quantity(String(value ?? '0'));
    case 'intOrString':
      return intOrString((value ?? 0) as number | string);
    case 'string':
      return { form: 'scalar', text: quote(String(value ?? '')), isZero: !value };
    default:
      return { form: 'scalar', text: String(value ?? type.zero()), isZero: !value };
  }
}

function mapOf(type: MapType<unknown>, values: Values | undefined): GoValue {
  const ofResources = type.name === 'v1.ResourceList';
  const keys = Object.keys(values ?? {}).sort();
  const entries = keys.map((key): [string, GoValue] => [
    `${ofResources ? 's' : ''}${quote(key)}`,
    goValue(type.element, values![key]),
  ]);
  return {
    form: 'map',
    type: ofResources ? 'core.ResourceList' : type.name,
    entries: values && new Map(entries),
  };
}

const number = (value: bigint | number): GoValue => ({
  form: 'scalar',
  text: String(value),
  isZero: Number(value) === 0,
});
const text = (value: string): GoValue => ({ form: 'scalar', text: quote(value), isZero: value === '' });

function quantity(given: string): GoStruct {
  const { amount, scale, format, text: shown } = quantityOf(given);
  return {
    form: 'struct',
    type: 'resource.Quantity',
    whole: true,
    fields: [
      [
        'i',
        {
          form: 'struct',
          type: 'resource.int64Amount',
          fields: [
            ['value', number(amount)],
            ['scale', number(scale)],
          ],
        },
      ],
      ['s', text(shown)],
      ['Format', text(format)],
    ],
  };
}

function intOrString(value: number | string): GoStruct {
  const isText = typeof value === 'string';
  return {
    form: 'struct',
    type: 'intstr.IntOrString',
    fields: [
      ['Type', number(isText ? 1 : 0)],
      ['IntVal', number(isText ? 0 : value)],
      ['StrVal', text(isText ? value : '')],
    ],
  };
}

function nameOf(type: Type): string {
  const isNamed = type instanceof Struct || type instanceof StringType;
  return (isNamed && type.fullName) || type.name;
}

/** `core.Pod` of `core/v1.Pod`; types of other groups go by their version: `v1.LabelSelector`. */
function goType(fullName: string): string {
  return fullName.startsWith('core/v1.') ? fullName.replace('/v1', '') : fullName.replace(/^.*\//, '');
}

/** Words that are written in capitals where they begin a name. */
const capitals =
  /^(api|dns|http|tcp|grpc|ip|os|tty|gce|aws|se(?=Linux)|fs(?=Group)|gmsa|pd|iqn|wwids|csi|nfs|rbd|fc|iscsi|uid|gid)(?=[A-Z]|$)/;
const spelled: Readonly<Record<string, string>> = {
  cephfs: 'CephFS',
  storageos: 'StorageOS',
  httpGet: 'HTTPGet',
};

function goName(name: string): string {
  if (Object.hasOwn(spelled, name)) return spelled[name]!;
  const capital = capitals.exec(name)?.[0];
  return capital
    ? capital.toUpperCase() + name.slice(capital.length)
    : name.charAt(0).toUpperCase() + name.slice(1);
}
