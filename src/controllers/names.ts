/** The controllers that run inside the server, by the names they have where they run beside it. */
export const knownControllers = [
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-cleaner-controller',
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'cronjob-controller',
  'disruption-controller',
  'ephemeral-volume-controller',
  'garbage-collector-controller',
  'legacy-serviceaccount-token-cleaner-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'storage-version-migrator-controller',
  'validatingadmissionpolicy-status-controller',
] as const;
export type ControllerName = (typeof knownControllers)[number];

/** Whether a controller is among those asked for: by its name or `*`, and not excepted by `-name`. `-*` asks for none. */
export function runsController(asked: readonly string[], name: ControllerName): boolean {
  return !asked.includes(`-${name}`) && (asked.includes('*') || asked.includes(name));
}
