// Mutations of the rules by which a body has its required fields, also where they are empty.
import { inSection } from '../mutation.ts';

/** Removes mustBePresent from a field. */
const optional = (rule: string, file: string, find = 'required: true,\n      mustBePresent: true,') => ({
  rule,
  file,
  find,
  replace: find.replace('mustBePresent: true', 'mustBePresent: false'),
});

export const requiredFields = [
  ...inSection('Resources: conventions', [
    {
      rule: 'required fields in Protobuf',
      file: 'src/registry/write/decode.ts',
      find: "body.format === 'protobuf' ? [] : decoding.absences",
      replace: 'decoding.absences',
    },
    {
      rule: 'required lists that are empty',
      file: 'src/registry/write/missing-fields.ts',
      find: 'if (old && isAbsentIn(old, field)) return false;',
      replace: '',
    },
    {
      rule: 'required fields in updates and patches',
      file: 'src/registry/write/validate.ts',
      find: '...(absences.length > 0 ? absencesToReport(api, target, absences, object, old) : []),',
      replace: '',
    },
    {
      rule: 'required fields in applies',
      file: 'src/registry/write/apply/apply-to-current.ts',
      find: 'const absences = missingFieldsIn(applyContext);',
      replace: 'const absences: ReturnType<typeof missingFieldsIn> = [];',
    },
    {
      rule: 'required fields in OpenAPI',
      file: 'src/apis/scheduling/priorityclass.ts',
      find: 'required: true,\n      mustBePresent: true,',
      replace: 'omitEmpty: false,\n      mustBePresent: true,',
    },
  ]),
  ...inSection('LimitRange', [
    optional(
      'limits are required',
      'src/apis/core/limitrange.ts',
      "mustBePresent: true,\n      doc: 'The limits, at most one item per type.',",
    ),
  ]),
  ...inSection('DeviceClass', [optional('spec is required', 'src/apis/resource/deviceclass.ts')]),
  ...inSection('APIService', [
    {
      rule: 'status.conditions: type and status',
      file: 'src/apis/apiregistration/apiservice.ts',
      find: 'if (!conditionStatuses.includes(status))',
      replace: "if (status === 'none')",
    },
  ]),
  ...inSection('PriorityClass', [optional('value is required', 'src/apis/scheduling/priorityclass.ts')]),
  ...inSection('CSIDriver', [
    optional('tokenRequests: audience is required', 'src/apis/storage/csidriver.ts'),
  ]),
  ...inSection('CSINode and CSIStorageCapacity', [
    optional(
      'CSINode: spec and drivers are required',
      'src/apis/storage/csinode.ts',
      'required: true,\n        mustBePresent: true,',
    ),
  ]),
  ...inSection('Volume', [
    optional('iscsi: iqn, lun and targetPortal are required', 'src/apis/core/pod-volume-sources.ts'),
  ]),
  ...inSection('ValidatingAdmissionPolicy and its binding', [
    optional(
      'status.conditions: all fields but observedGeneration are required',
      'src/kind/meta/condition.ts',
    ),
  ]),
  ...inSection('CustomResourceDefinition', [
    optional(
      'served and storage of a version are required',
      'src/apis/apiextensions/version.ts',
      'served: field(2, bool, { required: true, mustBePresent: true,',
    ),
    {
      rule: 'conditions of its status: type and status',
      file: 'src/apis/apiextensions/customresourcedefinition.ts',
      find: 'validateTypeAndStatus(object.status.conditions)',
      replace: 'validateTypeAndStatus([])',
    },
  ]),
];
