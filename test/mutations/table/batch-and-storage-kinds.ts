// Mutations of the rules of jobs, migrations, priorities, storage, nodes and leases.
import { inSection } from '../mutation.ts';

const cronJob = 'src/apis/batch/cronjob-validation.ts';
const cronJobDefaults = 'src/apis/batch/cronjob.ts';
const cronJobController = 'src/controllers/cronjob/cronjob-controller.ts';
const migration = 'src/apis/storagemigration/storageversionmigration.ts';
const priorityClass = 'src/apis/scheduling/priorityclass.ts';
const csiDriver = 'src/apis/storage/csidriver-validation.ts';
const csiNode = 'src/apis/storage/csinode-validation.ts';
const capacity = 'src/apis/storage/csistoragecapacity.ts';
const runtimeClass = 'src/apis/node/runtimeclass.ts';

export const batchAndStorageKinds = [
  ...inSection('CronJob', [
    {
      rule: 'jobTemplate',
      file: cronJob,
      find: "...validateTemplate(spec.jobTemplate, 'spec.jobTemplate.spec', context),",
      replace: '',
    },
    {
      rule: 'schedule',
      file: cronJob,
      find: "if ('problem' in parsed) errors.push(",
      replace: "if ('problem' in parsed && !schedule.includes('*')) errors.push(",
    },
    {
      rule: 'cron format in detail',
      file: 'src/apis/batch/schedule.ts',
      find: "const dayNames = ['sun', 'mon',",
      replace: "const dayNames = ['mon', 'sun',",
    },
    {
      rule: 'timeZone',
      file: cronJob,
      find: "if (timeZone !== 'Local' && !isTimeZone(timeZone)) {",
      replace: "if (timeZone !== 'Local' && !timeZone.includes('/')) {",
    },
    {
      rule: 'concurrencyPolicy',
      file: cronJobDefaults,
      find: "spec.concurrencyPolicy ||= 'Allow';",
      replace: "spec.concurrencyPolicy ||= 'Forbid';",
    },
    {
      rule: 'startingDeadlineSeconds',
      file: cronJob,
      find: "...validateNonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),",
      replace: '',
    },
    {
      rule: 'suspend is false by default',
      file: cronJobDefaults,
      find: 'spec.suspend ??= false;',
      replace: 'spec.suspend ??= true;',
    },
    {
      rule: 'suspend: no later runs',
      file: cronJobController,
      find: 'if (suspend) return undefined;',
      replace: '',
    },
    {
      rule: 'history limits',
      file: cronJobDefaults,
      find: 'spec.failedJobsHistoryLimit ??= 1;',
      replace: 'spec.failedJobsHistoryLimit ??= 3;',
    },
    {
      rule: 'jobs are started by the schedule in its time zone',
      file: 'src/controllers/cronjob/job-from-template.ts',
      find: 'name: jobNameFor(cronJob, time),',
      replace: 'name: `${metadata.name}-now`,',
    },
    {
      rule: 'Forbid skips, Replace cancels',
      file: cronJobController,
      find: "if (spec.concurrencyPolicy === 'Forbid' && state.active.length > 0) {",
      replace: "if (spec.concurrencyPolicy === 'Forbid' && state.active.length > 9) {",
    },
    {
      rule: 'history is pruned',
      file: cronJobController,
      find: 'oldestFirst.slice(0, jobs.length - limit)',
      replace: 'oldestFirst.slice(0, 0)',
    },
    {
      rule: 'an invalid time zone stops it and is told: UnknownTimeZone',
      file: cronJobController,
      find: "'UnknownTimeZone',",
      replace: "'UnknownZone',",
    },
  ]),
  ...inSection('StorageVersionMigration', [
    {
      rule: 'spec.resource is required',
      file: migration,
      find: "if (version === '') errors.push(",
      replace: "if (version === ' ') errors.push(",
    },
    {
      rule: 'spec.resource is immutable',
      file: migration,
      find: '...validateResourceUnchanged(spec.resource, old.spec.resource),',
      replace: '',
    },
    {
      rule: 'status',
      file: migration,
      find: 'prepareForUpdate(object, old) {\n        object.status = old.status;',
      replace: 'prepareForUpdate() {',
    },
  ]),
  ...inSection('PriorityClass', [
    {
      rule: 'value cannot be changed and has a limit',
      file: priorityClass,
      find: 'if (object.value !== old.value)',
      replace: 'if (object.value < old.value)',
    },
    {
      rule: 'preemptionPolicy',
      file: priorityClass,
      find: 'if (policy !== undefined && !preemptionPolicies.includes(policy)) {',
      replace: "if (policy === 'Sometimes') {",
    },
    {
      rule: 'of several defaults the smallest counts; pods get the value',
      file: 'src/admission/plugins/priority.ts',
      find: 'a.value - b.value;',
      replace: 'b.value - a.value;',
    },
  ]),
  ...inSection('CSIDriver', [
    {
      rule: 'defaults of every field',
      file: 'src/apis/storage/csidriver.ts',
      find: "default: 'ReadWriteOnceWithFSType',",
      replace: "default: 'File',",
    },
    {
      rule: 'attachRequired and volumeLifecycleModes are immutable',
      file: csiDriver,
      find: 'if (attachRequired !== old.spec.attachRequired) {',
      replace: 'if (attachRequired && !old.spec.attachRequired) {',
    },
    {
      rule: 'the other fields are mutable',
      file: csiDriver,
      find: 'if (attachRequired !== old.spec.attachRequired) {',
      replace:
        'if (attachRequired !== old.spec.attachRequired || spec.fsGroupPolicy !== old.spec.fsGroupPolicy) {',
    },
    {
      rule: 'fsGroupPolicy',
      file: csiDriver,
      find: "const fsGroupPolicies: readonly string[] = ['File', 'None', 'ReadWriteOnceWithFSType'];",
      replace: "const fsGroupPolicies: readonly string[] = ['File', 'ReadWriteOnceWithFSType'];",
    },
    {
      rule: 'tokenRequests: audiences differ',
      file: csiDriver,
      find: 'if (audiences.has(audience))',
      replace: 'if (audience && audiences.has(audience))',
    },
    {
      rule: 'volumeLifecycleModes',
      file: 'src/apis/storage/csidriver.ts',
      find: "spec.volumeLifecycleModes = ['Persistent'];",
      replace: "spec.volumeLifecycleModes = ['Ephemeral'];",
    },
  ]),
  ...inSection('CSINode and CSIStorageCapacity', [
    {
      rule: 'CSINode: drivers by name, with nodeID and topologyKeys',
      file: csiNode,
      find: "if (nodeID === '') errors.push(required(`${path}.nodeID`));",
      replace: '',
    },
    {
      rule: 'CSINode: allocatable.count',
      file: csiNode,
      find: 'if (count !== undefined && count < 0) {',
      replace: 'if (count !== undefined && count < -1) {',
    },
    {
      rule: 'CSIStorageCapacity: storageClassName',
      file: capacity,
      find: 'if (object.storageClassName !== old.storageClassName) {',
      replace: 'if (!object.storageClassName) {',
    },
    {
      rule: 'CSIStorageCapacity: capacity, maximumVolumeSize, nodeTopology',
      file: capacity,
      find: 'mustParseQuantity(capacity).amount < 0n',
      replace: 'mustParseQuantity(capacity).amount < -1n',
    },
  ]),
  ...inSection('RuntimeClass, Node, Lease and LeaseCandidate', [
    {
      rule: 'RuntimeClass: handler',
      file: runtimeClass,
      find: '...(object.handler === old.handler ? [] :',
      replace: '...(object.handler ? [] :',
    },
    {
      rule: 'RuntimeClass: overhead and scheduling',
      file: runtimeClass,
      find: "if (nodeSelector) validateLabels(nodeSelector, 'scheduling.nodeSelector', errors);",
      replace: '',
    },
    {
      rule: 'Node: podCIDRs and taints',
      file: 'src/apis/core/node-validation.ts',
      find: 'if (oldCIDRs.length > 0 && oldCIDRs.join() !== newCIDRs.join()) {',
      replace: 'if (oldCIDRs.length > newCIDRs.length) {',
    },
    {
      rule: 'Lease: duration and transitions',
      file: 'src/apis/coordination/lease.ts',
      find: 'duration <= 0',
      replace: 'duration < 0',
    },
    {
      rule: 'LeaseCandidate: what is required',
      file: 'src/apis/coordination/leasecandidate.ts',
      find: "if (leaseName === '') errors.push(required('spec.leaseName'));",
      replace: '',
    },
  ]),
];
