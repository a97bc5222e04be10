// ISCSIVolumeSource: defaults fsType in pods and pod templates if the dialect (Orch's own or Kubernetes') has such a
// default.
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import type { PodSpec } from './pod-spec.ts';

const templateSpecPath = ['spec', 'template', 'spec'];

/** Path to the PodSpec in each kind, by `<group> <plural>`. The core group is empty, hence the leading spaces. */
const podSpecPaths: Readonly<Record<string, readonly string[]>> = {
  ' pods': ['spec'],
  ' podtemplates': ['template', 'spec'],
  ' replicationcontrollers': templateSpecPath,
  'apps daemonsets': templateSpecPath,
  'apps deployments': templateSpecPath,
  'apps replicasets': templateSpecPath,
  'apps statefulsets': templateSpecPath,
  'batch cronjobs': ['spec', 'jobTemplate', ...templateSpecPath],
  'batch jobs': templateSpecPath,
};

/**
 * Wraps the definitions of kinds with a PodSpec so that they default fsType. Upstream leaves the default to the
 * kubelet.
 */
export function withIscsiFileSystem(
  definitions: readonly ResourceDefinition[],
  { rules }: Dialect,
): readonly ResourceDefinition[] {
  const { iscsiFileSystem } = rules;
  if (iscsiFileSystem === '') return definitions;
  return definitions.map((definition) => {
    const path = podSpecPaths[`${definition.group} ${definition.plural}`];
    if (!path) return definition;
    return {
      ...definition,
      applyDefaults(object: ApiObject) {
        definition.applyDefaults?.(object);
        for (const { iscsi } of podSpecAt(object, path)?.volumes ?? []) {
          if (iscsi) iscsi.fsType ||= iscsiFileSystem;
        }
      },
    };
  });
}

function podSpecAt(object: ApiObject, path: readonly string[]): PodSpec | undefined {
  let value = object as unknown as JsonValue | undefined;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  return value as unknown as PodSpec | undefined;
}
