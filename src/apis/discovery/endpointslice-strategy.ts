// Create and update strategy of EndpointSlice.

import type { KindContext } from '../../kind/context.ts';
import { addressRules } from '../../kind/meta/address-rules.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import type { Strategy } from '../../kind/strategy.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import type { Struct } from '../../schema/struct.ts';
import type { EndpointSlice } from './endpointslice.ts';
import { validateAddressTypeUnchanged, validateSlice } from './endpointslice-validation.ts';

export function endpointSliceStrategy(
  context: KindContext,
  schema: () => Struct<EndpointSlice>,
): Strategy<EndpointSlice> {
  const { dialect, features } = context;
  const rules = addressRules(context);
  const forNodes = features.enabled('PreferSameTrafficDistribution');

  /** Drops deprecated fields and fields of disabled features. */
  function drop({ endpoints }: EndpointSlice, old?: EndpointSlice): void {
    const keepsNodes = forNodes || old?.endpoints?.some(({ hints }) => hints?.forNodes?.length);
    for (const endpoint of endpoints ?? []) {
      delete endpoint.deprecatedTopology;
      if (!keepsNodes && endpoint.hints) delete endpoint.hints.forNodes;
    }
  }

  /** The parts whose change increments metadata.generation: all but metadata, plus the labels. */
  function content(slice: EndpointSlice): string {
    const labels = Object.entries(slice.metadata.labels ?? {}).sort();
    return JSON.stringify([labels, schema().write({ ...slice, metadata: {} })]);
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
      drop(slice);
    },
    validate: (slice) => [
      ...validateFinalizersQualified(slice.metadata, dialect),
      ...validateSlice(slice, undefined, rules),
    ],
    warningsOnCreate: warnings,
    prepareForUpdate(slice, old) {
      drop(slice, old);
      if (content(slice) !== content(old)) slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validateUpdate: (slice, old) => [
      ...validateMetadata(slice.metadata, true, nameIsSubdomain),
      ...validateFinalizersQualified(slice.metadata, dialect),
      ...validateSlice(slice, old, rules),
      ...validateMetadataChange(slice.metadata, old.metadata),
      ...validateFinalizersQualified(slice.metadata, dialect),
      ...validateAddressTypeUnchanged(slice, old),
    ],
    warningsOnUpdate: warnings,
  };
}
