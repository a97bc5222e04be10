// Node: validation of taints, resources, pod CIDRs and addresses (upstream: ValidateNode, ValidateNodeUpdate).

import { parseCidr } from '../../base/cidr.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  forbidden,
  goStringSlice,
  invalid,
  required,
} from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { type AddressRules, addressRules } from '../../kind/meta/address-rules.ts';
import { validateBuiltInMetadataChange, validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { qualifiedName, validLabelValue } from '../../schema/names.ts';
import type { Node, NodeStatus } from './node.ts';
import { mustParseQuantity, type ResourceList } from './resource-list.ts';
import { validateResourceQuantity } from './resource-requirements-validation.ts';
import type { Taint } from './taint.ts';
import { validateTaintEffect } from './toleration-validation.ts';

export function validateNode(node: Node, context: KindContext): FieldError[] {
  const rules = addressRules(context);
  return [
    ...validateFinalizersQualified(node.metadata, context.dialect),
    ...validateTaints(node.spec.taints ?? []),
    ...validateResources(node.status, context),
    ...validatePodCIDRs(node.spec.podCIDRs ?? [], rules),
  ];
}

export function validateNodeUpdate(node: Node, old: Node, context: KindContext): FieldError[] {
  const { spec } = node;
  const errors = [
    ...validateBuiltInMetadataChange(node.metadata, old.metadata, context.dialect),
    ...validateResources(node.status, context),
    ...validateAddresses(node.status),
  ];
  const oldCIDRs = old.spec.podCIDRs ?? [];
  const newCIDRs = spec.podCIDRs ?? [];
  if (oldCIDRs.length > 0 && oldCIDRs.join() !== newCIDRs.join()) {
    errors.push(forbidden('spec.podCIDRs', immutableOnceSet('podCIDR')));
  }
  if (old.spec.providerID && spec.providerID !== old.spec.providerID) {
    errors.push(forbidden('spec.providerID', immutableOnceSet('providerID')));
  }
  if ((spec.externalID ?? '') !== (old.spec.externalID ?? '')) {
    errors.push(forbidden('spec.externalID', 'may not be updated'));
  }
  addErrors(errors, validateTaints(spec.taints ?? []));
  return errors;
}

const immutableOnceSet = (field: string) => `node updates may not change ${field} except from "" to valid`;

function validateTaints(taints: readonly Taint[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { key, value = '', effect, timeAdded }] of taints.entries()) {
    // kube-apiserver's path of spec.taints.
    const path = `metadata.taints[${i}]`;
    for (const problem of qualifiedName(key)) errors.push(invalid(`${path}.key`, key, problem));
    const problems = validLabelValue(value);
    if (problems.length > 0) errors.push(invalid(`${path}.value`, value, problems.join(';')));
    if (effect === '') errors.push(required(`${path}.effect`));
    else addErrors(errors, validateTaintEffect(effect, `${path}.effect`));
    const pairKey = `${key} ${effect}`;
    if (seen.has(pairKey)) {
      const formattedTaint = `core.Taint{Key:${quote(key)}, Value:${quote(value)}, Effect:${quote(effect)}, TimeAdded:${timeAdded ?? '<nil>'}}`;
      errors.push({
        ...duplicate(path, new FormattedValue(formattedTaint)),
        detail: 'taints must be unique by key and effect pair',
      });
    }
    seen.add(pairKey);
  }
  return errors;
}

function validateResources({ capacity, allocatable }: NodeStatus, { dialect }: KindContext): FieldError[] {
  const validateAmounts = (field: string, amounts: ResourceList = {}) =>
    Object.entries(amounts).flatMap(([name, text]) =>
      validateResourceQuantity(name, mustParseQuantity(text), `status.${field}.${name}`, dialect),
    );
  return [...validateAmounts('capacity', capacity), ...validateAmounts('allocatable', allocatable)];
}

function validatePodCIDRs(ranges: readonly string[], rules: AddressRules): FieldError[] {
  const errors = ranges.flatMap((range, i) =>
    rules.cidr(range).map((problem) => invalid(`spec.podCIDRs[${i}]`, range, problem)),
  );
  if (errors.length > 0 || ranges.length < 2) return errors;
  const families = new Set(ranges.map((range) => parseCidr(range)?.family));
  if (ranges.length === 2 && families.size === 2) return [];
  const detail = 'may specify no more than one CIDR for each IP family';
  return [invalid('spec.podCIDRs', goStringSlice(ranges), detail)];
}

function validateAddresses({ addresses = [] }: NodeStatus): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap(({ type, address }, i) => {
    const pairKey = `${type} ${address}`;
    if (!seen.has(pairKey)) {
      seen.add(pairKey);
      return [];
    }
    const badValue = goStruct('core.NodeAddress', [
      ['Type', type],
      ['Address', address],
    ]);
    return [duplicate(`status.addresses[${i}]`, badValue)];
  });
}
