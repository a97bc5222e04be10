// Mutations of the rules of volumes and of admission policies and webhooks.
import { inSection } from '../mutation.ts';

const projected = 'src/apis/core/projected-volume-validation.ts';
const volume = 'src/apis/core/volume-validation.ts';
const attached = 'src/apis/core/attached-volume-validation.ts';
const filePath = 'src/apis/core/file-path-validation.ts';
const policy = 'src/apis/admissionregistration/policy-validation.ts';
const policyExpressions = 'src/apis/admissionregistration/policy-expressions.ts';
const evaluation = 'src/admission/policies/evaluation.ts';

export const volumesAndPolicies = [
  ...inSection('Volume', [
    {
      rule: 'a volume is named',
      file: volume,
      find: 'if (sources.has(volume.name)) volumeErrors.push(',
      replace: "if (volume.name === '') volumeErrors.push(",
    },
    {
      rule: 'configMap',
      file: projected,
      find: '...(source.name ? [] : [required(`${path}.name`)]),',
      replace: '',
    },
    {
      rule: 'modes are 0 to 511',
      file: filePath,
      find: 'mode <= 0o777',
      replace: 'mode <= 0o1000',
    },
    {
      rule: 'secret',
      file: projected,
      find: '...(source.secretName ? [] : [required(`${path}.secretName`)]),',
      replace: '',
    },
    {
      rule: 'downwardAPI',
      file: projected,
      find: "'metadata.annotations',\n  'metadata.labels',",
      replace: "'metadata.annotations',\n  'spec.nodeName',\n  'metadata.labels',",
    },
    {
      rule: 'awsElasticBlockStore',
      file: attached,
      find: 'validateRange(partition, `${path}.partition`, 1, 255)',
      replace: 'validateRange(partition, `${path}.partition`, 1, 256)',
    },
    {
      rule: 'azureDisk',
      file: 'src/apis/core/attached-volume-sources.ts',
      find: "default: 'Shared',",
      replace: "default: 'Dedicated',",
    },
    {
      rule: 'azureFile',
      file: volume,
      find: "validateFieldsPresent(source, path, 'secretName', 'shareName')",
      replace: "validateFieldsPresent(source, path, 'secretName')",
    },
    {
      rule: 'cinder',
      file: volume,
      find: "...validateFieldsPresent(source, path, 'volumeID'),",
      replace: '',
    },
    {
      rule: 'fc',
      file: attached,
      find: 'if (targetWWNs.length > 0 && wwids.length > 0) {',
      replace: 'if (targetWWNs.length > 9) {',
    },
    {
      rule: 'flexVolume',
      file: attached,
      find: "const errors = validateFieldsPresent(source, path, 'driver');",
      replace: 'const errors: FieldError[] = [];',
    },
    {
      rule: 'flocker',
      file: attached,
      find: "if (datasetName !== '' && datasetUUID !== '') {",
      replace: "if (datasetName === ' ' && datasetUUID !== '') {",
    },
    {
      rule: 'iscsi',
      file: attached,
      find: "if (source.iqn === '') errors.push(required(`${path}.iqn`));\n  else addErrors",
      replace: 'if (source.iqn) addErrors',
    },
    {
      rule: 'KeyToPath: relative, without `..`',
      file: filePath,
      find: "path.split('/').includes('..')",
      replace: "path.startsWith('../')",
    },
    {
      rule: 'ephemeral: the Pod is rejected if the name of the claim is invalid',
      file: volume,
      find: 'if (ephemeralClaimNames.has(claimName)) {',
      replace: 'if (ephemeralClaimNames.has(` ${claimName}`)) {',
    },
    {
      rule: 'projection serviceAccountToken',
      file: 'src/apis/core/projected-volume.ts',
      find: 'default: 60 * 60,',
      replace: 'default: 60 * 10,',
    },
    {
      rule: 'projections configMap, downwardAPI, secret',
      file: projected,
      find: 'if (!source.name) errors.push(required(`${path}.${sourceField}.name`));',
      replace: '',
    },
    {
      rule: 'projection clusterTrustBundle',
      file: projected,
      find: 'if (name !== undefined && signerName !== undefined) {',
      replace: "if (name === '' && signerName !== undefined) {",
    },
  ]),
  ...inSection('Volume', [
    {
      rule: 'projected: exactly one field per source',
      file: projected,
      find: '.filter((source) => source !== undefined).length > 1) {',
      replace: '.filter((source) => source !== undefined).length > 2) {',
    },
    {
      rule: 'bundles are merged and de-duplicated',
      file: 'src/volumes/trust-anchors.ts',
      find: "anchors.set(data.toString('base64'),",
      replace: 'anchors.set(String(anchors.size),',
    },
    {
      rule: 'tokens are rotated',
      file: 'src/volumes/token-keeper.ts',
      find: 'const refreshFraction = 0.8;',
      replace: 'const refreshFraction = 0.9;',
    },
  ]),
  ...inSection('ValidatingAdmissionPolicy and its binding', [
    {
      rule: 'message has no line breaks',
      file: policy,
      find: 'else if (/[\\r\\n]/.test(message.trim())) {',
      replace: 'else if (/[\\r\\f]/.test(message.trim())) {',
    },
    {
      rule: 'message is required if the expression has line breaks',
      file: policy,
      find: "if (multilineExpressionsNeedMessage && message === '' &&",
      replace: "if (!multilineExpressionsNeedMessage && message === '' &&",
    },
    {
      rule: 'reason is one of four',
      file: policy,
      find: 'if (reason !== undefined && !reasons.includes(reason)) {',
      replace: 'if (reason !== undefined && reason === "") {',
    },
    {
      rule: 'object is null on DELETE, oldObject on CREATE',
      file: evaluation,
      find: 'return this.#request.oldObject;',
      replace: 'return this.#request.oldObject ?? this.#request.object;',
    },
    {
      rule: 'namespaceObject is null for cluster-scoped kinds',
      file: evaluation,
      find: 'return this.#request.namespaceObject;',
      replace: 'return this.#request.namespaceObject ?? this.#request.object;',
    },
    {
      rule: 'params only where the policy has a param kind',
      file: policyExpressions,
      find: 'const params = policy.paramKind !== undefined;',
      replace: 'const params = true;',
    },
    {
      rule: 'messageExpression sees all but the authorizer',
      file: policyExpressions,
      find: 'message: check([types.string], { ...scope, authorizer: false }),',
      replace: 'message: check([types.string], scope),',
    },
    {
      rule: 'binding: one evaluation for each param, each with a budget of its own',
      file: evaluation,
      find: '  const budget: ExpressionBudget = { costLimit: costLimits.expression, remaining: costLimits.policy };\n  if (policy.variables.size > 0)',
      replace:
        '  const budget = ((policy as unknown as { budget?: Budget }).budget ??= { costLimit: costLimits.expression, remaining: costLimits.policy });\n  if (policy.variables.size > 0)',
    },
  ]),
];
