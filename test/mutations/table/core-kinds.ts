// Mutations of the rules of core kinds and roles.
import { inSection } from '../mutation.ts';

const role = 'src/apis/rbac/policy-rule.ts';
const ruleIndex = 'src/auth/rbac/rule-index.ts';
const endpoints = 'src/apis/core/endpoints.ts';
const revision = 'src/apis/apps/controllerrevision.ts';
const limitRange = 'src/apis/core/limitrange.ts';
const violations = 'src/admission/plugins/limit-ranger/violations.ts';
const quota = 'src/apis/core/resourcequota-validation.ts';
const configMap = 'src/apis/core/configmap.ts';
const secret = 'src/apis/core/secret.ts';
const namespace = 'src/apis/core/namespace.ts';

export const coreKinds = [
  ...inSection('Role', [
    {
      rule: 'fields and their types, all lists atomic',
      file: role,
      find: "resources: field(3, list(string, { type: 'atomic' })",
      replace: "resources: field(3, list(string, { type: 'set' })",
    },
    {
      rule: 'the empty string is the core group, `*` is all',
      file: ruleIndex,
      find: "groups.get(i === 0 ? group : '*')",
      replace: 'groups.get(group)',
    },
    {
      rule: 'verbs are required',
      file: role,
      find: 'if (verbs.length === 0)',
      replace: 'if (verbs.length < 0)',
    },
    {
      rule: 'resourceNames is an allow-list; empty means all',
      file: ruleIndex,
      find: 'lower(entry.forAnyName, entry.byName.get(name) ?? noRule)',
      replace: 'lower(entry.forAnyName, [...entry.byName.values()][0]!)',
    },
    {
      rule: 'nonResourceURLs only in a cluster-wide role that is bound cluster-wide',
      file: role,
      find: "if (namespaced) reject('namespaced",
      replace: "if (namespaced === undefined) reject('namespaced",
    },
    {
      rule: 'a rule is for resources or for paths, never both',
      file: role,
      find: 'if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {',
      replace: 'if (apiGroups.length < 0) {',
    },
    {
      rule: '`*` in a path only as the last segment, and the whole of it',
      file: role,
      find: "(star === 0 || url[star - 1] === '/')",
      replace: 'true',
    },
    {
      rule: 'any listed group may match; rules decide who may do what',
      file: ruleIndex,
      find: 'for (const group of rule.apiGroups ?? [])',
      replace: 'for (const group of rule.apiGroups?.slice(0, 1) ?? [])',
    },
  ]),
  ...inSection('Endpoints', [
    {
      rule: 'the set is the union of the subsets; ready and not ready addresses, ports',
      file: endpoints,
      find: 'if (addresses.length === 0 && notReadyAddresses.length === 0) {',
      replace: 'if (addresses.length === 0) {',
    },
    {
      rule: 'no address is both ready and not ready in one subset',
      file: endpoints,
      find: '...(addressesAreExclusive ? validateReadyExclusive(',
      replace: '...(!addressesAreExclusive ? validateReadyExclusive(',
    },
    {
      rule: 'ip is required',
      file: endpoints,
      find: 'const errors = [...rules.ip(ip, oldIps), ...validateNonSpecialIp(ip)].map(',
      replace:
        "const errors = (ip === '' ? [] : [...rules.ip(ip, oldIps), ...validateNonSpecialIp(ip)]).map(",
    },
    {
      rule: 'ip is not loopback, link-local or link-local multicast',
      file: 'src/base/ip-address.ts',
      find: 'value >> 16n === 0xa9fen',
      replace: 'value >> 16n === 0xa9ffn',
    },
    {
      rule: 'hostname, nodeName, targetRef',
      file: endpoints,
      find: 'dnsLabel(hostname).map',
      replace: 'nameIsSubdomain(hostname).map',
    },
    {
      rule: 'port is required; protocol is UDP, TCP or SCTP, TCP by default',
      file: endpoints,
      find: "const protocols = ['SCTP', 'TCP', 'UDP'];",
      replace: "const protocols = ['SCTP', 'TCP', 'UDP', 'ICMP'];",
    },
    {
      rule: 'a port name is a DNS label, optional only with exactly one port',
      file: endpoints,
      find: 'const isNameRequired = ports.length > 1;',
      replace: 'const isNameRequired = ports.length > 2;',
    },
    {
      rule: 'appProtocol has label syntax',
      file: endpoints,
      find: 'qualifiedName(appProtocol)',
      replace: 'qualifiedName(appProtocol.trim().replace(/ /g, ""))',
    },
  ]),
  ...inSection('ControllerRevision', [
    {
      rule: 'revision and data',
      file: revision,
      find: 'return revision < 0',
      replace: 'return revision < -1',
    },
    {
      rule: 'data cannot be changed; deletion is allowed',
      file: revision,
      find: '...validateDataImmutable(object, old),',
      replace: '',
    },
  ]),
  ...inSection('LimitRange', [
    {
      rule: 'the maps of an item',
      file: limitRange,
      find: 'item.max, item.default);',
      replace: 'item.max);',
    },
    {
      rule: 'type is required',
      file: limitRange,
      find: 'validateLimitType(item.type,',
      replace: 'validateLimitType(item.type || "Pod",',
    },
    {
      rule: 'default and defaultRequest of containers that omit them',
      file: 'src/admission/plugins/limit-ranger/defaults.ts',
      find: 'filter((name) => amounts[name] === undefined)',
      replace: 'filter((name) => amounts[name] !== undefined)',
    },
    {
      rule: '… derived from max where the item omits them',
      file: limitRange,
      find: "if (item.type !== 'Container') return;",
      replace: 'return;',
    },
    {
      rule: 'max and min',
      file: violations,
      find: 'if (isLess(request, minimum))',
      replace: 'if (isLess(minimum, request))',
    },
    {
      rule: 'maxLimitRequestRatio: a request and a limit that are not 0, and their ratio',
      file: violations,
      find: 'if (ratio > quantityToNumber(maximum)) return',
      replace: 'if (ratio > quantityToNumber(maximum) + 1) return',
    },
    {
      rule: '… is at least 1',
      file: limitRange,
      find: "mustParseQuantity('1')) < 0",
      replace: "mustParseQuantity('0')) < 0",
    },
    {
      rule: 'limits hold for pods and claims',
      file: violations,
      find: 'if (isLess(maximum, limit))',
      replace: 'if (isLess(limit, maximum))',
    },
  ]),
  ...inSection('ResourceQuota', [
    {
      rule: 'hard',
      file: quota,
      find: "...validateAmounts(spec.hard, 'spec.hard', dialect),",
      replace: '',
    },
    {
      rule: 'scopes',
      file: 'src/admission/plugins/resource-quota/quota-account.ts',
      find: '...(spec.scopes ?? []).map',
      replace: '...[].map',
    },
    {
      rule: 'scopes and scopeSelector must both match',
      file: 'src/admission/plugins/resource-quota/quota-account.ts',
      find: 'return scopes.every(',
      replace: 'return scopes.length === 0 || scopes.some(',
    },
    {
      rule: 'what In, NotIn, Exists and DoesNotExist select',
      file: 'src/admission/plugins/resource-quota/scope-values.ts',
      find: 'return value === undefined || !values.includes(value);',
      replace: 'return value !== undefined && !values.includes(value);',
    },
    {
      rule: 'operators and scope names of matchExpressions',
      file: quota,
      find: 'if (!isScope(scopeName))',
      replace: 'if (scopeName && !isScope(scopeName))',
    },
    {
      rule: 'values for In and NotIn, none for Exists and DoesNotExist',
      file: quota,
      find: 'return values.length === 0 ? [required(',
      replace: 'return values.length < 0 ? [required(',
    },
    {
      rule: 'status: hard limits and usage',
      file: 'src/apis/core/resourcequota-definition.ts',
      find: "resetFields: ['spec'],\n          prepareForUpdate(object, old) {\n            object.spec = old.spec;",
      replace: "resetFields: ['spec'],\n          prepareForUpdate(object, old) {",
    },
  ]),
  ...inSection('ConfigMap', [
    {
      rule: 'keys are letters, digits, `-`, `_`, `.`',
      file: configMap,
      find: 'for (const problem of dataKey(key)) errors.push(invalid(`data[${key}]`',
      replace: 'for (const problem of []) errors.push(invalid(`data[${key}]`',
    },
    {
      rule: 'no key in both',
      file: configMap,
      find: 'if (Object.hasOwn(binaryData, key)) {',
      replace: 'if (Object.hasOwn(binaryData, ` ${key}`)) {',
    },
    {
      rule: 'immutable',
      file: configMap,
      find: "if (!object.immutable) errors.push(forbidden('immutable'",
      replace: "if (object.immutable === null) errors.push(forbidden('immutable'",
    },
  ]),
  ...inSection('Secret', [
    {
      rule: 'data below the maximum size',
      file: secret,
      find: 'if (size > maxDataBytes)',
      replace: 'if (size > maxDataBytes + 1)',
    },
    {
      rule: 'stringData',
      file: secret,
      find: 'delete object.stringData;',
      replace: '',
    },
    {
      rule: 'immutable',
      file: secret,
      find: "if (!hasSameEntries(object.data, old.data)) errors.push(forbidden('data'",
      replace: "if (!hasSameEntries(old.data, old.data)) errors.push(forbidden('data'",
    },
    {
      rule: 'the types of the service have their keys',
      file: secret,
      find: "return data['ssh-privatekey'] ? [] :",
      replace: "return data['ssh-privatekey'] !== '' ? [] :",
    },
    {
      rule: 'type',
      file: secret,
      find: "return validateKeysPresent('tls.crt', 'tls.key');",
      replace: "return validateKeysPresent('tls.crt');",
    },
  ]),
  ...inSection('Namespace and ComponentStatus', [
    {
      rule: 'status: phase and conditions',
      file: namespace,
      find: "resetFields: ['status'],\n      prepareForUpdate(object, old) {\n        object.spec = old.spec;\n        object.status = old.status;",
      replace:
        "resetFields: ['status'],\n      prepareForUpdate(object, old) {\n        object.spec = old.spec;",
    },
    {
      rule: 'finalize replaces the finalizers',
      file: namespace,
      find: 'object.spec.finalizers = [...finalizers, dialect.finalizers.namespace];',
      replace: '',
    },
    {
      rule: 'ComponentStatus: conditions of type Healthy; deprecated',
      file: 'src/apis/core/componentstatus.ts',
      find: "{ type: 'Healthy', status:",
      replace: "{ type: 'Ready', status:",
    },
  ]),
];
