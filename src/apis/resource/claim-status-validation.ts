// ResourceClaim (DRA): validation of updates of the status (upstream: ValidateResourceClaimStatusUpdate).

import { parseCidr } from '../../base/cidr.ts';
import { formatIp } from '../../base/ip-address.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import { validateConditions } from '../../kind/meta/condition-rules.ts';
import { validateNodeSelector } from '../core/node-selector-validation.ts';
import { requestNames, validateClaimConfiguration, validateRequestName } from './claim-validation.ts';
import {
  validateDriver,
  validateLabelName,
  validateParameters,
  validatePoolName,
  validateTolerations,
} from './device-validation.ts';
import type { DeviceClaimV1beta2 } from './resource-claim-spec-v1beta2.ts';
import {
  type AllocatedDeviceStatus,
  AllocationResult,
  type DeviceAllocationConfiguration,
  type DeviceRequestAllocationResult,
  type NetworkDeviceData,
  type ResourceClaimConsumerReference,
  type ResourceClaimStatus,
} from './resource-claim-status.ts';

const maxResults = 32;
const maxReservations = 256;
const maxConditions = 8;

/** Validates an update of the status; `claim` is spec.devices. */
export function validateClaimStatus(
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
  claim: DeviceClaimV1beta2,
): FieldError[] {
  const { allocation, reservedFor = [], devices } = status;
  const errors: FieldError[] = [];
  if (reservedFor.length > maxReservations) {
    errors.push(tooMany('status.reservedFor', reservedFor.length, maxReservations));
  }
  const seen = new Set<string>();
  for (const [i, consumer] of reservedFor.entries()) {
    addErrors(errors, validateConsumer(consumer, `status.reservedFor[${i}]`));
    if (seen.has(consumer.uid)) errors.push(duplicate(`status.reservedFor[${i}].uid`, consumer.uid));
    seen.add(consumer.uid);
  }
  addErrors(errors, validateDeviceStatuses(devices, allocation));
  if (!allocation && reservedFor.length > 0) {
    errors.push(forbidden('status.reservedFor', 'may not be specified when `allocated` is not set'));
  }
  if (allocation && old.allocation) {
    if (AllocationResult.write(allocation) !== AllocationResult.write(old.allocation)) {
      const badValue = goSyntaxOfType(AllocationResult, allocation);
      errors.push(invalid('status.allocation', badValue, 'field is immutable'));
    }
  } else if (allocation) {
    addErrors(errors, validateAllocation(allocation, claim));
  }
  return errors;
}

function validateConsumer(
  { resource, name, uid }: ResourceClaimConsumerReference,
  path: string,
): FieldError[] {
  return Object.entries({ resource, name, uid })
    .filter(([, value]) => value === '')
    .map(([field]) => required(`${path}.${field}`));
}

function validateAllocation(allocation: AllocationResult, claim: DeviceClaimV1beta2): FieldError[] {
  const path = 'status.allocation.devices';
  const { results = [], config = [] } = allocation.devices;
  const names = requestNames(claim);
  const errors: FieldError[] = [];
  if (results.length > maxResults) errors.push(tooMany(`${path}.results`, results.length, maxResults));
  for (const [i, result] of results.entries())
    addErrors(errors, validateResult(result, `${path}.results[${i}]`, names));
  for (const [i, entry] of config.entries())
    addErrors(errors, validateAllocationConfiguration(entry, `${path}.config[${i}]`, names));
  if (allocation.nodeSelector) {
    addErrors(errors, validateNodeSelector(allocation.nodeSelector, 'status.allocation.nodeSelector'));
  }
  return errors;
}

function validateResult(
  result: DeviceRequestAllocationResult,
  path: string,
  names: ReadonlySet<string>,
): FieldError[] {
  return [
    ...validateRequestName(result.request, `${path}.request`, names),
    ...validateDeviceId(result, path),
    ...validateTolerations(result.tolerations, `${path}.tolerations`),
  ];
}

function validateDeviceId(
  { driver, pool, device }: Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device'>,
  path: string,
): FieldError[] {
  return [
    ...validateDriver(driver, `${path}.driver`),
    ...validatePoolName(pool, `${path}.pool`),
    ...validateLabelName(device, `${path}.device`),
  ];
}

const sources = ['FromClaim', 'FromClass'];

function validateAllocationConfiguration(
  config: DeviceAllocationConfiguration,
  path: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const { source } = config;
  const errors: FieldError[] = [];
  if (source === '') errors.push(required(`${path}.source`));
  else if (!sources.includes(source)) errors.push(notSupported(`${path}.source`, source, sources));
  return [...errors, ...validateClaimConfiguration(config, path, names)];
}

type DeviceId = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device'>;

const deviceIdText = ({ driver, pool, device }: DeviceId) => `${driver}/${pool}/${device}`;

function validateDeviceStatuses(
  devices: readonly AllocatedDeviceStatus[] = [],
  allocation: AllocationResult | undefined,
): FieldError[] {
  const allocatedIds = new Set(allocation?.devices.results?.map(deviceIdText));
  const seen = new Set<string>();
  return devices.flatMap((device, i) => {
    const path = `status.devices[${i}]`;
    const id = deviceIdText(device);
    const errors = validateDeviceId(device, path);
    if (seen.has(id)) errors.push(duplicate(`${path}.deviceID`, new FormattedValue(id)));
    seen.add(id);
    if (!allocatedIds.has(id)) {
      errors.push(invalid(path, new FormattedValue(id), 'must be an allocated device in the claim'));
    }
    return [...errors, ...validateDeviceStatus(device, path)];
  });
}

function validateDeviceStatus(
  { conditions = [], data, networkData }: AllocatedDeviceStatus,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > maxConditions) {
    errors.push(tooMany(`${path}.conditions`, conditions.length, maxConditions));
  }
  addErrors(errors, validateConditions(conditions, `${path}.conditions`));
  if (data !== undefined && data !== null) addErrors(errors, validateParameters(data, `${path}.data`));
  if (networkData) addErrors(errors, validateNetworkData(networkData, `${path}.networkData`));
  return errors;
}

const maxInterfaceNameBytes = 256;
const maxHardwareAddressBytes = 128;
const maxIps = 16;

function validateNetworkData(data: NetworkDeviceData, path: string): FieldError[] {
  const { interfaceName = '', hardwareAddress = '', ips = [] } = data;
  const errors: FieldError[] = [];
  if (Buffer.byteLength(interfaceName) > maxInterfaceNameBytes) {
    errors.push(tooLong(`${path}.interfaceName`, maxInterfaceNameBytes));
  }
  if (Buffer.byteLength(hardwareAddress) > maxHardwareAddressBytes) {
    errors.push(tooLong(`${path}.hardwareAddress`, maxHardwareAddressBytes));
  }
  if (ips.length > maxIps) errors.push(tooMany(`${path}.ips`, ips.length, maxIps));
  const seen = new Set<string>();
  for (const [i, ip] of ips.entries()) {
    addErrors(errors, validateInterfaceAddress(ip, `${path}.ips[${i}]`));
    if (seen.has(ip)) errors.push(duplicate(`${path}.ips[${i}]`, ip));
    seen.add(ip);
  }
  return errors;
}

/** Requires an interface address in canonical form: an IP address with a prefix length. */
function validateInterfaceAddress(text: string, path: string): FieldError[] {
  const cidr = parseCidr(text);
  if (!cidr) {
    const detail = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
    return [invalid(path, text, detail)];
  }
  const canonical = `${formatIp({ family: cidr.family, value: cidr.address })}/${cidr.prefix}`;
  return text === canonical ? [] : [invalid(path, text, `must be in canonical form ("${canonical}")`)];
}
