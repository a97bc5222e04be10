// Mutations of the rules in which dialect `orch` follows the specification and not the release (decision 0007).
import { inSection } from '../mutation.ts';

const file = 'src/dialect/orch.ts';

/** Turns a rule of the dialect around. */
const flipped = (rule: string, name: string, value: boolean) => ({
  rule,
  file,
  find: `    ${name}: ${value},`,
  replace: `    ${name}: ${!value},`,
});

export const dialectRules = [
  ...inSection('Resources: conventions', [
    flipped('required fields are there in JSON, YAML and CBOR', 'absentDiffersFromZero', true),
  ]),
  ...inSection('Endpoints', [
    {
      rule: 'addresses are compared as addresses, not as texts',
      file: 'src/apis/core/endpoints.ts',
      find: 'readyIps.has(canonicalIp(ip)) ?',
      replace: 'readyIps.has(ip) ?',
    },
  ]),
  ...inSection('ControllerRevision', [
    flipped('revision is required, data is not', 'controllerRevisionsNeedData', false),
  ]),
  ...inSection('FlowSchema', [
    flipped('resources are lowercase plural names', 'flowSchemaResourcesArePluralNames', true),
    flipped('status.conditions: status', 'conditionsAreValidated', true),
    {
      rule: 'matchingPrecedence 1 is not only for `exempt`, which stays first',
      file: 'src/flowcontrol/digest.ts',
      find: "return nameA === 'exempt' ? -1 : 1;",
      replace: "return nameA === 'exempt' ? 1 : -1;",
    },
  ]),
  ...inSection('Namespace and ComponentStatus', [
    flipped('status.conditions: type and status', 'conditionsAreValidated', true),
  ]),
  ...inSection('DeviceClass', [
    flipped(
      'served only with the feature gate DynamicResourceAllocation',
      'deviceKindsNeedFeatureGate',
      true,
    ),
  ]),
  ...inSection('StorageVersionMigration', [
    flipped(
      'MigrationCondition: status and type are required',
      'migrationConditionsNeedTimeAndReason',
      false,
    ),
  ]),
  ...inSection('CronJob', [flipped('a missed deadline counts as failed', 'missedCronJobRunsFail', true)]),
  ...inSection('Volume', [
    flipped('projected: a source without a field is refused', 'projectionsHaveOneSource', true),
    {
      rule: 'iscsi: fsType is ext4 by default',
      file,
      find: "iscsiFileSystem: 'ext4',",
      replace: "iscsiFileSystem: '',",
    },
  ]),
  ...inSection('ValidatingAdmissionPolicy and its binding', [
    flipped('escaped names of fields in policies', 'escapedFieldNames', true),
    flipped('binding: excludeResourceRules', 'policyRuleScopesMayBeEmpty', true),
    flipped('variables: name and expression', 'variableNamesAreUnique', true),
  ]),
  ...inSection('Endpoints: operations', [
    flipped('deletes that wait for finalizers too', 'pendingDeleteReturnsStatus', true),
  ]),
  ...inSection('Errors', [
    flipped('deletecollection answers with Status', 'deleteCollectionReturnsStatus', true),
  ]),
  ...inSection('Chunked lists and compression', [
    flipped('limit at resourceVersion=0', 'limitAppliesToVersion0', true),
  ]),
  ...inSection('Versioning: deprecation rules', [
    flipped('9. every metric that is served has a level', 'everyMetricHasStabilityLevel', true),
  ]),
];
