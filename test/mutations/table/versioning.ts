// Mutations of the rules of versions, gates and what replaced removed versions.
import { inSection } from '../mutation.ts';

const gates = 'src/kind/features/gates.ts';

export const versioning = [
  ...inSection('Versioning: deprecation rules', [
    {
      rule: '8. rule 9: a gate without effect cannot be disabled',
      file: gates,
      find: 'if (state.locked && value !== state.default) {',
      replace: 'if (state.locked && value === undefined) {',
    },
    {
      rule: '8. rule 10: a deprecated gate warns',
      file: gates,
      find: "if (stage !== 'stable' && stage !== 'deprecated') return [];",
      replace: "if (stage !== 'stable') return [];",
    },
    {
      rule: '9. a deprecated metric says so and logs',
      file: 'src/telemetry/metrics.ts',
      find: "if (notice !== '') warn(",
      replace: "if (notice === '') warn(",
    },
    {
      rule: '9. it is hidden after three releases, unless asked for',
      file: 'src/telemetry/metrics.ts',
      find: 'minorReleasesBetween(deprecated.since, release) >= dialect.rules.deprecatedMetrics.hiddenAfter;',
      replace:
        'minorReleasesBetween(deprecated.since, release) > dialect.rules.deprecatedMetrics.hiddenAfter;',
    },
    {
      rule: '10. a deprecated endpoint returns a Warning header',
      file: 'src/apis/deprecations.ts',
      find: 'if (!isReached(deprecated)) return definition;',
      replace: 'return definition;',
    },
  ]),
  ...inSection('Versioning: removed versions and their replacements', [
    {
      rule: 'EndpointSlice: nodeName, zone, deprecatedTopology',
      file: 'src/apis/discovery/endpointslice-strategy.ts',
      find: 'delete endpoint.deprecatedTopology;',
      replace: '',
    },
    {
      rule: 'webhooks: sideEffects',
      file: 'src/apis/admissionregistration/webhook-validation.ts',
      find: 'if (sideEffects === undefined) {',
      replace: 'if (sideEffects === null) {',
    },
    {
      rule: 'webhooks: unique names',
      file: 'src/apis/admissionregistration/webhook-validation.ts',
      find: "if (webhook.name !== '' && seen.has(webhook.name))",
      replace: "if (webhook.name === '' && seen.has(webhook.name))",
    },
    {
      rule: 'webhooks: admissionReviewVersions',
      file: 'src/apis/admissionregistration/webhook-validation.ts',
      find: 'if (versions.length > 0) addErrors(errors, validateReviewVersions(versions, fieldPath));',
      replace: 'if (versions.length > 0) addErrors(errors, []);',
    },
    {
      rule: 'flowcontrol: 30 only when unspecified',
      file: 'src/apis/flowcontrol/prioritylevelconfiguration.ts',
      find: 'default: 30,',
      replace: 'default: 0,',
    },
  ]),
];
