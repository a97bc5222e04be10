// Mutations of the rules of kinds that only dialect orch holds (docs/decisions/0007).
import { inSection } from '../mutation.ts';

const flowSchema = 'src/api/flowcontrol/flowschema-validation.ts';
const absences = 'src/resource/absences.ts';
const apply = 'src/resource/apply.ts';

/** Takes the mark from a field that must be present. */
const optional = (rule: string, file: string, find: string) => ({
  rule,
  file,
  find,
  replace: find.replace('present: true', 'present: false'),
});

export const requiredAndOwn = [
  ...inSection('Resources: conventions', [
    {
      rule: 'required fields are there in JSON, YAML and CBOR',
      file: 'src/schema/decoding.ts',
      find: 'if (this.absences.length < maxFindings) this.absences.push(required(this.#pathOf(name)));',
      replace: '',
    },
    {
      rule: 'required fields in Protobuf',
      file: 'src/resource/read-body.ts',
      find: "body.form === 'protobuf' ? [] : decoding.absences",
      replace: 'decoding.absences',
    },
    {
      rule: 'required lists that are empty',
      file: absences,
      find: 'if (old && lacks(old, field)) return false;',
      replace: '',
    },
    {
      rule: 'required fields in updates and patches',
      file: 'src/resource/update.ts',
      find: '...validateAbsences(api, target, absences, object, old),',
      replace: '',
    },
    {
      rule: 'required fields in applies',
      file: apply,
      find: 'const absences = absencesIn(applying);',
      replace: 'const absences: ReturnType<typeof absencesIn> = [];',
    },
    {
      rule: 'required fields in OpenAPI',
      file: 'src/api/scheduling/priorityclass.ts',
      find: 'required: true,\n      present: true,',
      replace: 'alwaysWritten: true,\n      present: true,',
    },
  ]),
  ...inSection('Endpoints', [
    {
      rule: 'addresses are compared as addresses, not as texts',
      file: 'src/api/core/endpoints.ts',
      find: 'isReady.has(addressOf(ip))',
      replace: 'isReady.has(ip)',
    },
  ]),
  ...inSection('ControllerRevision', [
    optional(
      'revision is required, data is not',
      'src/api/apps/controllerrevision.ts',
      'required: true,\n      present: true,',
    ),
  ]),
  ...inSection('FlowSchema', [
    {
      rule: 'matchingPrecedence 1 is not only for `exempt`, which stays first',
      file: 'src/flow/digest.ts',
      find: "if (nameA === 'exempt' || nameB === 'exempt') return nameA === 'exempt' ? -1 : 1;",
      replace: '',
    },
    {
      rule: 'resources are lowercase plural names',
      file: flowSchema,
      find: "if (name === '*' || resourceName.test(name)) continue;",
      replace: "if (name === '*' || resourceName.test(name.toLowerCase())) continue;",
    },
    {
      rule: 'status.conditions: status',
      file: 'src/api/flowcontrol/conditions.ts',
      find: "status !== '' && !conditionStatuses.includes(status)",
      replace: "status === 'none'",
    },
  ]),
  ...inSection('LimitRange', [
    optional(
      'limits are required',
      'src/api/core/limitrange.ts',
      "present: true,\n      doc: 'The limits, one per type.',",
    ),
  ]),
  ...inSection('Namespace and ComponentStatus', [
    {
      rule: 'status.conditions: type and status',
      file: 'src/api/core/namespace.ts',
      find: 'validateTypeAndStatus(object.status.conditions)',
      replace: 'validateTypeAndStatus([])',
    },
  ]),
  ...inSection('DeviceClass', [
    optional('spec is required', 'src/api/resource/deviceclass.ts', 'required: true,\n      present: true,'),
  ]),
  ...inSection('APIService', [
    {
      rule: 'status.conditions: type and status',
      file: 'src/api/apiregistration/apiservice.ts',
      find: 'if (!statuses.includes(status)) errors',
      replace: "if (status === 'none') errors",
    },
  ]),
  ...inSection('StorageVersionMigration', [
    {
      rule: 'MigrationCondition: status and type are required',
      file: 'src/api/storagemigration/storageversionmigration.ts',
      find: 'if (!migrationsTellMore) continue;',
      replace: '',
    },
  ]),
  ...inSection('PriorityClass', [
    optional(
      'value is required',
      'src/api/scheduling/priorityclass.ts',
      "present: true,\n      doc: 'The priority of pods",
    ),
  ]),
  ...inSection('CSIDriver', [
    optional(
      'tokenRequests: audience is required',
      'src/api/storage/csidriver.ts',
      'required: true,\n      present: true,',
    ),
  ]),
  ...inSection('CSINode and CSIStorageCapacity', [
    optional(
      'CSINode: spec and drivers are required',
      'src/api/storage/csinode.ts',
      'required: true,\n        present: true,',
    ),
  ]),
  ...inSection('Volume', [
    {
      rule: 'projected: a source without a field is refused',
      file: 'src/api/core/projected-volume-validation.ts',
      find: 'projectionsHaveOneSource && isEmpty(projection)',
      replace: 'projectionsHaveOneSource && isEmpty({ ...projection, secret: {} })',
    },
    optional(
      'iscsi: iqn, lun and targetPortal are required',
      'src/api/core/pod-volume-sources.ts',
      'required: true,\n      present: true,',
    ),
    {
      rule: 'iscsi: fsType is ext4 by default',
      file: 'src/api/core/iscsi-file-system.ts',
      find: 'if (iscsi) iscsi.fsType ||= iscsiFileSystem;',
      replace: 'if (iscsi?.fsType) iscsi.fsType = iscsiFileSystem;',
    },
  ]),
  ...inSection('ValidatingAdmissionPolicy and its binding', [
    optional(
      'status.conditions: all fields but observedGeneration are required',
      'src/api/meta/condition.ts',
      'required: true,\n      present: true,',
    ),
  ]),
  ...inSection('CustomResourceDefinition', [
    optional(
      'served and storage of a version are required',
      'src/api/apiextensions/version.ts',
      'served: field(2, bool, { required: true, present: true,',
    ),
    {
      rule: 'conditions of its status: type and status',
      file: 'src/api/apiextensions/customresourcedefinition.ts',
      find: 'validateTypeAndStatus(object.status.conditions)',
      replace: 'validateTypeAndStatus([])',
    },
  ]),
];
