// Mutations of the rules of trust bundles, flow control, devices, APIServices, events and addresses.
import { inSection } from '../mutation.ts';

const bundle = 'src/apis/certificates/clustertrustbundle.ts';
const flowSchema = 'src/apis/flowcontrol/flowschema-validation.ts';
const matching = 'src/flowcontrol/matching.ts';
const deviceClass = 'src/apis/resource/device-validation.ts';
const selectors = 'src/apis/resource/selector-rules.ts';
const apiService = 'src/apis/apiregistration/apiservice.ts';
const event = 'src/apis/events/event.ts';

export const clusterKinds = [
  ...inSection('ClusterTrustBundle', [
    {
      rule: 'trustBundle is required and has only PEM blocks that parse as certificates',
      file: bundle,
      find: "if (type !== 'CERTIFICATE') {",
      replace: "if (type === '') {",
    },
    {
      rule: 'each certificate has the CA flag; duplicates and PEM headers are rejected',
      file: bundle,
      find: 'if (duplicates.length > 1)',
      replace: 'if (duplicates.length > 2)',
    },
    {
      rule: '1. a signerName needs the permission to attest for the signer',
      file: 'src/admission/plugins/certificates/signer-access.ts',
      find: 'if (await isAllowed(verb, signer, attributes)) return;',
      replace: 'return;',
    },
    {
      rule: '2. with a signerName the name begins with it',
      file: 'src/apis/certificates/signer-name.ts',
      find: 'if (!name.startsWith(requiredPrefix)) {',
      replace: "if (!name.includes(':')) {",
    },
    {
      rule: '2. without one it has no such prefix',
      file: 'src/apis/certificates/signer-name.ts',
      find: `if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];`,
      replace: "if (name.includes(':')) return [];",
    },
    {
      rule: '3. and 4. several bundles per signer; list and watch select by spec.signerName',
      file: bundle,
      find: "({ 'spec.signerName': spec.signerName ?? '' })",
      replace: "({ 'spec.signerName': spec.signerName?.slice(0, 1) ?? '' })",
    },
  ]),
  ...inSection('FlowSchema', [
    {
      rule: 'distinguisherMethod is ByUser, ByNamespace or absent',
      file: flowSchema,
      find: "const distinguishers = ['ByNamespace', 'ByUser'];",
      replace: "const distinguishers = ['ByNamespace', 'ByUser', 'ByVerb'];",
    },
    {
      rule: 'matchingPrecedence is 1 to 10000, default 1000',
      file: flowSchema,
      find: 'const maxPrecedence = 10_000;',
      replace: 'const maxPrecedence = 10_001;',
    },
    {
      rule: 'priorityLevelConfiguration.name is required',
      file: flowSchema,
      find: "if (level === '') errors.push(required(levelPath, 'must reference a priority level'));\n  else for",
      replace: "if (level !== '') for",
    },
    {
      rule: 'at least one subject',
      file: flowSchema,
      find: 'if (subjects.length === 0) {',
      replace: 'if (subjects.length < 0) {',
    },
    {
      rule: 'at least one resourceRule or nonResourceRule',
      file: flowSchema,
      find: 'if (resourceRules.length === 0 && nonResourceRules.length === 0) {',
      replace: 'if (resourceRules.length < 0) {',
    },
    {
      rule: 'a subject has the field that its kind names',
      file: flowSchema,
      find: "return name === '' ? [required(`${path}.${field}.name`)] : [];",
      replace: "return name === ' ' ? [required(`${path}.${field}.name`)] : [];",
    },
    {
      rule: '`/hea*` is invalid; `/healthz`, `/hea`, `/hea/*`, `/healthz/*` are valid',
      file: flowSchema,
      find: "(star === url.length - 1 && url.endsWith('/*'))",
      replace: 'star === url.length - 1',
    },
    {
      rule: 'nonResourceURLs and verbs non-empty, `*` alone',
      file: flowSchema,
      find: 'if (urls.length === 0) errors.push(',
      replace: 'if (urls.length < 0) errors.push(',
    },
    {
      rule: 'apiGroups, resources and verbs non-empty, `*` alone',
      file: flowSchema,
      find: 'validateStarAlone(apiGroups,',
      replace: 'validateStarAlone([],',
    },
    {
      rule: 'namespaces empty only with clusterScope',
      file: flowSchema,
      find: 'if (namespaces.length === 0 && !clusterScope) {',
      replace: 'if (namespaces.length < 0) {',
    },
    {
      rule: 'among matching schemas the smallest precedence is selected',
      file: 'src/flowcontrol/digest.ts',
      find: '.sort(byPrecedence)',
      replace: '',
    },
    {
      rule: 'a rule matches by one subject and one rule for resources or paths',
      file: matching,
      find: 'if (!rule.subjects?.some((subject) => subjectMatches(subject, user))) return false;',
      replace:
        'if (rule.subjects?.some((subject) => subjectMatches(subject, user)) === false && rule.subjects.length > 0) return false;',
    },
    {
      rule: 'subjects `system:authenticated` and `system:unauthenticated` together are every request',
      file: matching,
      find: 'if (!rule.subjects?.some((subject) => subjectMatches(subject, user))) return false;',
      replace:
        'if (!rule.subjects?.slice(0, 1).some((subject) => subjectMatches(subject, user))) return false;',
    },
    {
      rule: 'which verbs, groups, resources and namespaces match',
      file: matching,
      find: "(namespace === '' ? (rule.clusterScope ?? false) :",
      replace: "(namespace === '' ? true :",
    },
    {
      rule: 'paths: `/hea` and `/hea/*` do not match `/healthz`; `/healthz/*` matches subpaths',
      file: matching,
      find: "path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)",
      replace: 'path.startsWith(prefix)',
    },
    {
      rule: 'a reference that cannot be resolved: ignored, and marked in status',
      file: 'src/flowcontrol/config-controller.ts',
      find: "status: 'True',\n        reason: 'NotFound',",
      replace: "status: 'Unknown',\n        reason: 'NotFound',",
    },
    {
      rule: 'the flow distinguisher is the user, the namespace, or absent',
      file: 'src/flowcontrol/flow.ts',
      find: "return type === 'ByNamespace' ? info.namespace : '';",
      replace: 'return info.namespace;',
    },
  ]),
  ...inSection('DeviceClass', [
    {
      rule: 'opaque.driver is required, a DNS subdomain',
      file: deviceClass,
      find: 'return [...errors, ...validateSubdomain(driver, path)];',
      replace: 'return errors;',
    },
    {
      rule: 'opaque.parameters are required, at most 10 Ki',
      file: deviceClass,
      find: 'const maxParametersBytes = 10 * 1024;',
      replace: 'const maxParametersBytes = 10 * 1024 + 1;',
    },
    {
      rule: 'a selector is a CEL expression of at most 10 Ki',
      file: selectors,
      find: 'const maxExpressionBytes = 10 * 1024;',
      replace: 'const maxExpressionBytes = 10 * 1024 + 1;',
    },
    {
      rule: 'CEL 2. any result but true and false aborts',
      file: 'src/devices/selector-expressions.ts',
      find: "{ problem: 'the result is neither true nor false' }",
      replace: '{ matches: false }',
    },
    {
      rule: 'CEL 4. the cost is bounded',
      file: 'src/devices/selector-expressions.ts',
      find: 'return max > costLimit ?',
      replace: 'return max > costLimit * 1e9 ?',
    },
  ]),
  ...inSection('APIService', [
    {
      rule: 'the name is `<version>.<group>`',
      file: apiService,
      find: 'if (problems.length > 0 || name === requiredName) return problems;',
      replace: 'if (problems.length > 0 || requiredName.includes(name)) return problems;',
    },
    {
      rule: 'groupPriorityMinimum and versionPriority',
      file: apiService,
      find: 'if (priority > 0 && priority <= highest) return [];',
      replace: 'if (priority >= 0 && priority <= highest) return [];',
    },
    {
      rule: 'groups by groupPriorityMinimum, high to low, then by name',
      file: 'src/discovery/discovery-documents.ts',
      find: '(a, b) => b.priority.group - a.priority.group || compareText(a.serviceName, b.serviceName),',
      replace: '(a, b) => compareText(a.serviceName, b.serviceName),',
    },
    {
      rule: 'versions by versionPriority, high to low, then by their names',
      file: 'src/discovery/discovery-documents.ts',
      find: 'b.priority.version - a.priority.version || compareVersions(a.name, b.name),',
      replace: 'compareVersions(a.name, b.name),',
    },
    {
      rule: 'caBundle, insecureSkipTLSVerify',
      file: apiService,
      find: 'if (spec.insecureSkipTLSVerify && spec.caBundle) {',
      replace: 'if (spec.insecureSkipTLSVerify && !spec.caBundle) {',
    },
    {
      rule: 'service.port 1 to 65535, default 443',
      file: apiService,
      find: 'if (port < 1 || port > 65_535) {',
      replace: 'if (port < 1 || port > 65_536) {',
    },
    {
      rule: 'without a service: served by this server',
      file: apiService,
      find: 'if (!object.spec.service) object.status.conditions = [alwaysAvailable(now)];',
      replace: '',
    },
    {
      rule: 'status.conditions',
      file: apiService,
      find: 'prepareForUpdate(object, old) {\n        object.status = old.status;',
      replace: 'prepareForUpdate() {',
    },
    {
      rule: 'GA before beta before alpha, then the higher number, other names last',
      file: 'src/kind/version-priority.ts',
      find: "const stages = ['alpha', 'beta', undefined];",
      replace: "const stages = ['beta', 'alpha', undefined];",
    },
  ]),
  ...inSection('Event (events API)', [
    {
      rule: 'eventTime is required',
      file: event,
      find: "...(event.eventTime ? [] : [required('eventTime')]),",
      replace: '',
    },
    {
      rule: 'at most 128 characters',
      file: 'src/apis/core/event-validation.ts',
      find: 'const maxShortTextLength = 128;',
      replace: 'const maxShortTextLength = 129;',
    },
    {
      rule: 'note at most 1 kB',
      file: 'src/apis/core/event-validation.ts',
      find: 'const maxMessageLength = 1024;',
      replace: 'const maxMessageLength = 1025;',
    },
    {
      rule: 'action, reason, reportingController, reportingInstance non-empty',
      file: 'src/apis/core/event-validation.ts',
      find: "if (value === '') return [required(field)];",
      replace: "if (value === '') return [];",
    },
    {
      rule: 'type is Normal or Warning',
      file: event,
      find: "return type === 'Normal' || type === 'Warning' ?",
      replace: "return type !== '' ?",
    },
    {
      rule: 'regarding and related',
      file: event,
      find: 'related: event.related,\n      note: event.message,',
      replace: 'note: event.message,',
    },
    {
      rule: 'series',
      file: event,
      find: 'if ((series.count ?? 0) < 2)',
      replace: 'if ((series.count ?? 0) < 1)',
    },
    {
      rule: 'deprecated fields',
      file: event,
      find: 'source: source.component || source.host };',
      replace: 'source: undefined };',
    },
    {
      rule: 'compatible with the older type',
      file: event,
      find: 'note: event.message,',
      replace: 'note: event.reason,',
    },
  ]),
  ...inSection('IPAddress and ServiceCIDR', [
    {
      rule: 'an IPv4 name has four decimal numbers without leading zeros',
      file: 'src/kind/meta/address-rules.ts',
      find: 'if (!ip) return [notAnIp];',
      replace: 'if (!ip) return [];',
    },
    {
      rule: 'an IPv6 name is in the form of RFC 5952',
      file: 'src/kind/meta/address-rules.ts',
      find: '|| formatIp(ip) === text) return problems;',
      replace: '|| formatIp(ip) === text.toLowerCase()) return problems;',
    },
    {
      rule: 'parentRef with name and resource is required',
      file: 'src/apis/networking/ipaddress.ts',
      find: 'if (!plural) errors.push(required(`${path}.resource`));\n  else addProblems(',
      replace: 'if (plural) addProblems(',
    },
    {
      rule: 'ServiceCIDR: ranges',
      file: 'src/apis/networking/servicecidr.ts',
      find: 'if (first && second && first.family === second.family) {',
      replace: 'if (first && second && first.family !== second.family) {',
    },
    {
      rule: 'ServiceCIDR: what may change',
      file: 'src/apis/networking/servicecidr.ts',
      find: 'text === newCidrs[i] ?',
      replace: 'newCidrs[i] ?',
    },
  ]),
];
