/**
 * Versions that earlier releases served and this one knows only by name. Naming one in --runtime-config is no mistake
 * (a configuration may be older than the server), but nothing comes of it.
 */
export const removedVersions: readonly (readonly [groupId: string, version: string])[] = [
  ['apiextensions', 'v1beta1'],
  ['apiregistration', 'v1beta1'],
  ['apps', 'v1beta1'],
  ['apps', 'v1beta2'],
  ['authentication', 'v1alpha1'],
  ['authentication', 'v1beta1'],
  ['authorization', 'v1beta1'],
  ['autoscaling', 'v2beta1'],
  ['autoscaling', 'v2beta2'],
  ['batch', 'v1beta1'],
  ['discovery', 'v1beta1'],
  ['events', 'v1beta1'],
  ['extensions', 'v1beta1'],
  ['flowcontrol.apiserver', 'v1beta1'],
  ['flowcontrol.apiserver', 'v1beta2'],
  ['flowcontrol.apiserver', 'v1beta3'],
  ['networking', 'v1alpha1'],
  ['node', 'v1alpha1'],
  ['node', 'v1beta1'],
  ['policy', 'v1beta1'],
  ['rbac.authorization', 'v1alpha1'],
  ['rbac.authorization', 'v1beta1'],
  ['scheduling', 'v1alpha1'],
  ['scheduling', 'v1beta1'],
];
