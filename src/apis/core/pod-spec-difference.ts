// Pod: the Go-style diff in the message that rejects an update.
import { goCmpDiff } from '../../errors/go-cmp-diff.ts';
import type { GoValue } from '../../errors/go-value.ts';
import { type GoLayout, goField, goStructValue, type Values } from '../../kind/meta/go-struct.ts';
import { EphemeralContainer } from './container.ts';
import { coreLayout } from './go-layout.ts';
import { PodSpec } from './pod-spec.ts';
import { PodSecurityContext } from './security-context.ts';

/** Diff of two specs as cmp.Diff prints upstream's internal version. */
export function podSpecDifference(before: PodSpec, now: PodSpec): string {
  return goCmpDiff(goStructValue(PodSpec, before, podLayout), goStructValue(PodSpec, now, podLayout));
}

export function ephemeralContainerDifference(before: EphemeralContainer, now: EphemeralContainer): string {
  const show = (container: EphemeralContainer) => goStructValue(EphemeralContainer, container, podLayout);
  return goCmpDiff(show(before), show(now));
}

/** The internal version keeps these PodSpec fields in the pod's securityContext. */
const hostNamespaceFields = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

const podLayout: GoLayout = {
  ...coreLayout,
  fieldOf(struct, field, spec): GoValue | undefined {
    return struct === PodSpec.fullName && field === 'securityContext' ? securityOf(spec) : undefined;
  },
};

function securityOf(spec: Values): GoValue {
  const own = goStructValue(PodSecurityContext, spec.securityContext, coreLayout);
  if (own.kind !== 'struct') return own;
  const shared = hostNamespaceFields.map((name) => ({
    key: name.charAt(0).toUpperCase() + name.slice(1),
    value: goField(PodSpec, name, spec, coreLayout),
  }));
  return { kind: 'pointer', pointee: { ...own, fields: [...shared, ...own.fields] } };
}
