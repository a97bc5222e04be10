// EndpointSlice: the strategy that runs on creates and updates.

import type { KindContext } from '../../kind/context.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import { validateBuiltInMetadata, validateFinalizersQualified } from '../../kind/meta/validation.ts';
import type { Strategy } from '../../kind/strategy.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { EndpointSlice } from './endpointslice.ts';
import { validateAddressTypeUnchanged, validateSlice } from './endpointslice-validation.ts';

export function endpointSliceStrategy(context: KindContext): Strategy<EndpointSlice> {
  const { dialect, features } = context;
  const rules = addressRules(context);
  const nodeHintsEnabled = features.enabled('PreferSameTrafficDistribution');

  /** Drops deprecated fields and fields of disabled features. */
  function dropDisabledFields({ endpoints }: EndpointSlice, old?: EndpointSlice): void {
    const keepsNodeHints = nodeHintsEnabled || old?.endpoints?.some(({ hints }) => hints?.forNodes?.length);
    for (const endpoint of endpoints ?? []) {
      delete endpoint.deprecatedTopology;
      if (!keepsNodeHints && endpoint.hints) delete endpoint.hints.forNodes;
    }
  }

  /** Encodes the parts whose change increments metadata.generation: all but metadata, plus the labels. */
  function contentForGeneration(slice: EndpointSlice): string {
    const labels = Object.entries(slice.metadata.labels ?? {}).sort();
    return JSON.stringify([labels, EndpointSlice.write({ ...slice, metadata: {} })]);
  }

  function warnings({ addressType, endpoints }: EndpointSlice): string[] {
    if (addressType === 'FQDN') return ['spec.addressType: FQDN endpoints are deprecated'];
    return (endpoints ?? []).flatMap(({ addresses }, i) =>
      (addresses ?? []).flatMap((text, k) => rules.ipWarnings(text, `endpoints[${i}].addresses[${k}]`)),
    );
  }

  return {
    validateName: nameIsSubdomain,
    allowUnconditionalUpdate: true,
    prepareForCreate(slice) {
      slice.metadata.generation = 1;
      dropDisabledFields(slice);
    },
    validate: (slice) => [
      ...validateFinalizersQualified(slice.metadata, dialect),
      ...validateSlice(slice, undefined, rules),
    ],
    warningsOnCreate: warnings,
    prepareForUpdate(slice, old) {
      dropDisabledFields(slice, old);
      if (contentForGeneration(slice) !== contentForGeneration(old))
        slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    // kube-apiserver runs create validation on updates too, so errors can appear twice.
    validateUpdate: (slice, old) => [
      ...validateBuiltInMetadata(slice.metadata, { namespaced: true, nameRule: nameIsSubdomain }, dialect),
      ...validateSlice(slice, old, rules),
      ...validateAddressTypeUnchanged(slice, old),
    ],
    warningsOnUpdate: warnings,
  };
}
