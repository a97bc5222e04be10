// Pod: the Go-style diff in the message that rejects an update.
import { goCmpDiff } from '../../errors/go-cmp-diff.ts';
import type { GoValue } from '../../errors/go-value.ts';
import { type GoLayout, goField, goStructValue, type Values } from '../../kind/meta/go-struct.ts';
import { EphemeralContainer } from './container.ts';
import { coreLayout } from './go-layout.ts';
import { PodSpec } from './pod-spec.ts';
import { PodSecurityContext } from './security-context.ts';

/** Diff of two specs as cmp.Diff prints upstream's internal version. */
export function podSpecDifference(old: PodSpec, updated: PodSpec): string {
  return goCmpDiff(goStructValue(PodSpec, old, podLayout), goStructValue(PodSpec, updated, podLayout));
}

export function ephemeralContainerDifference(old: EphemeralContainer, updated: EphemeralContainer): string {
  const toGoStruct = (container: EphemeralContainer) =>
    goStructValue(EphemeralContainer, container, podLayout);
  return goCmpDiff(toGoStruct(old), toGoStruct(updated));
}

/** The internal version keeps these PodSpec fields in the pod's securityContext. */
const hostNamespaceFields = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

const podLayout: GoLayout = {
  ...coreLayout,
  fieldOf(struct, field, spec): GoValue | undefined {
    return struct === PodSpec.fullName && field === 'securityContext'
      ? securityContextValue(spec)
      : undefined;
  },
};

function securityContextValue(spec: Values): GoValue {
  const securityContext = goStructValue(PodSecurityContext, spec.securityContext, coreLayout);
  if (securityContext.kind !== 'struct') return securityContext;
  const hostNamespaceValues = hostNamespaceFields.map((name) => ({
    key: name.charAt(0).toUpperCase() + name.slice(1),
    value: goField(PodSpec, name, spec, coreLayout),
  }));
  return {
    kind: 'pointer',
    pointee: { ...securityContext, fields: [...hostNamespaceValues, ...securityContext.fields] },
  };
}
