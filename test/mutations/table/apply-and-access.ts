// Mutations of the rules of server-side apply, authentication, authorization and admission outcomes.
import { inSection } from '../mutation.ts';

const structuredApply = 'src/patch/apply/structured-apply.ts';
const writeOptions = 'src/registry/options/write-options.ts';

export const applyAndAccess = [
  ...inSection('Server-side apply', [
    {
      rule: 'a PATCH of type application/apply-patch+yaml is an apply; fieldManager is required, managedFields in the body refused',
      file: 'src/registry/write/decode.ts',
      find: 'if (Array.isArray(managedFields)) throw',
      replace: 'if (managedFields === true) throw',
    },
    {
      rule: 'a field of another manager is a conflict unless forced; with force ownership moves',
      file: structuredApply,
      find: 'if (!request.force) throwOnConflicts(others, changes);',
      replace: '',
    },
    {
      rule: 'an update or other patch moves fields to the writer, named by fieldManager or User-Agent',
      file: writeOptions,
      find: "const program = userAgent.split('/', 1)[0]!;",
      replace: 'const program = userAgent;',
    },
    {
      rule: 'equal values share ownership; a field left out is given up; one without owners is reset or deleted',
      file: structuredApply,
      find: 'const object = dropsFields ? pruneUnowned(request, merged, applied, previous) : merged;',
      replace: 'const object = merged;',
    },
    {
      rule: 'managedFields can be edited by an update or other patch',
      file: 'src/registry/write/managed-fields.ts',
      find: "const inObject = target.subresource === '' ? metadata.managedFields : undefined;",
      replace: 'const inObject = undefined;',
    },
  ]),
  ...inSection('Authentication', [
    {
      rule: '2. rules decide',
      file: 'src/auth/rbac/rule-index.ts',
      find: 'if (!rule.resourceNames?.length) {',
      replace: 'if (rule.resourceNames !== null) {',
    },
    {
      rule: '2. namespaced kinds are checked at namespace scope',
      file: 'src/auth/rbac/rbac-authorizer.ts',
      find: 'const inNamespace = this.#rulesInNamespace(userRules, user, info.namespace);',
      replace: "const inNamespace = this.#rulesInNamespace(userRules, user, 'default');",
    },
    {
      rule: '2. subresources are authorized separately',
      file: 'src/auth/rbac/rule-index.ts',
      find: 'findPosition(resources.get(combinedResource(resource, subresource)), name)',
      replace: 'findPosition(resources.get(resource), name)',
    },
    {
      rule: '2. nonResourceURLs',
      file: 'src/auth/rbac/rule-index.ts',
      find: 'let best = this.#exactPaths.get(verb)?.get(path) ?? noRule;',
      replace: 'let best = noRule;',
    },
    {
      rule: '6. tokens in volumes are rotated',
      file: 'src/volumes/token-keeper.ts',
      find: 'const maxTokenAgeMs = 24 * 60 * 60_000;',
      replace: 'const maxTokenAgeMs = 25 * 60 * 60_000;',
    },
    {
      rule: '5. FlowSchema subjects',
      file: 'src/flowcontrol/matching.ts',
      find: '? name.startsWith(accountPrefix)',
      replace: "? name.startsWith('system:serviceaccount:tea')",
    },
  ]),
  ...inSection('ValidatingAdmissionPolicy and its binding', [
    {
      rule: 'the first failing reason and its code go to the client, Invalid by default',
      file: 'src/admission/policies/policy-check.ts',
      find: 'Forbidden: 403,',
      replace: 'Forbidden: 422,',
    },
  ]),
  ...inSection('States and transitions', [
    {
      rule: 'condition status is True, False or Unknown',
      file: 'src/kind/meta/condition-rules.ts',
      find: "const conditionStatuses = ['False', 'True', 'Unknown'];",
      replace: "const conditionStatuses = ['False', 'True', 'Unknown', 'Maybe'];",
    },
    {
      rule: '… of migrations too',
      file: 'src/apis/storagemigration/storageversionmigration.ts',
      find: 'if (types.has(type)) errors.push(',
      replace: "if (type === '') errors.push(",
    },
    {
      rule: 'watch events ADDED, MODIFIED, BOOKMARK',
      file: 'src/store/watch/hub.ts',
      find: 'bookmarkIntervalMs = 60_000',
      replace: 'bookmarkIntervalMs = 6_000_000',
    },
    {
      rule: 'feature gates: alpha off, beta on, GA without effect',
      file: 'src/kind/features/gates.ts',
      find: 'settings.get(name) ?? state.default',
      replace: 'settings.get(name) ?? true',
    },
    {
      rule: 'managedFields operation Apply, Update',
      file: 'src/registry/write/managed-fields.ts',
      find: 'return { manager, operation, apiVersion: resource.apiVersion, subresource };',
      replace: "return { manager, operation: 'Apply', apiVersion: resource.apiVersion, subresource };",
    },
  ]),
];
