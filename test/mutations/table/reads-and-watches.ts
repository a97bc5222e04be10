// Mutations of the rules of consistent reads, watches, chunked lists, compression and their limits.
import { inSection } from '../mutation.ts';

const list = 'src/registry/verbs/list.ts';
const get = 'src/registry/verbs/get.ts';
const watch = 'src/registry/verbs/watch.ts';
const listOptions = 'src/registry/options/list-options.ts';
const hub = 'src/store/watch/hub.ts';
const memoryStore = 'src/store/memory/memory-store.ts';

export const readsAndWatches = [
  ...inSection('Consistent reads', [
    {
      rule: 'get: Any, Most recent, Not older than',
      file: get,
      find: 'await waitForRevision(api, requested.revision, resourceVersion);',
      replace: '',
    },
    {
      rule: 'list: Any, Most recent',
      file: listOptions,
      find: "if (match === 'Exact' && resourceVersion === '0') {",
      replace: "if (match === 'Exact' && resourceVersion === '-1') {",
    },
    {
      rule: 'list: Not older than, Exact',
      file: list,
      find: 'return isExact ? requested.revision : undefined;',
      replace: 'return requested.revision;',
    },
    {
      rule: 'Exact unavailable is 410',
      file: list,
      find: 'throw token ? tokenExpired(token, metaGroup) : revisionExpired();',
      replace: "throw token ? tokenExpired(token, metaGroup) : badRequest('gone');",
    },
    {
      rule: 'a continue token keeps its version',
      file: list,
      find: 'token.revision > api.store.revision ? undefined : token.revision;',
      replace: 'token.revision > api.store.revision ? undefined : undefined;',
    },
    {
      rule: 'watch: unset and 0 begin with synthetic ADDED, other versions do not',
      file: watch,
      find: 'const sendsState = options.sendInitialEvents ?? isUnversioned;',
      replace: 'const sendsState = options.sendInitialEvents ?? true;',
    },
    {
      rule: 'an unrecognized version is 504 with Retry-After and `Too large resource version`',
      file: list,
      find: 'if (api.store.revision < revision) throw tooLargeRevision(',
      replace: 'if (api.store.revision < -revision) throw tooLargeRevision(',
    },
  ]),
  ...inSection('Watch', [
    {
      rule: 'a chunked stream of `{type, object}`',
      file: 'src/store/watch/event.ts',
      find: 'ADDED: Buffer.from(\'{"type":"ADDED","object":\'),',
      replace: 'ADDED: Buffer.from(\'{"type":"ADDED","item":\'),',
    },
    {
      rule: 'streaming lists need NotOlderThan',
      file: listOptions,
      find: "if (match !== 'NotOlderThan') {\n      errors.push(",
      replace: "if (match === 'Exact') {\n      errors.push(",
    },
    {
      rule: 'streaming lists are off by default',
      file: listOptions,
      find: 'if (!watchList) {',
      replace: 'if (watchList === undefined) {',
    },
    {
      rule: 'streaming lists from a version',
      file: watch,
      find: 'else if (sendsState && !isUnversioned) await waitForRevision(api, requested.revision, text);',
      replace: '',
    },
    {
      rule: 'streaming lists: ADDED events, then a bookmark',
      file: watch,
      find: 'sendsInitialEventsEnd: watchList && options.allowWatchBookmarks,',
      replace: 'sendsInitialEventsEnd: false,',
    },
    {
      rule: 'bookmarks',
      file: hub,
      find: 'bookmarkIntervalMs = 60_000',
      replace: 'bookmarkIntervalMs = 600_000',
    },
  ]),
  ...inSection('Chunked lists and compression', [
    {
      rule: 'limit',
      file: list,
      find: '...(limit > 0 && { limit }),',
      replace: '...(limit > 0 && { limit: limit + 1 }),',
    },
    {
      rule: 'continue until it is empty',
      file: 'src/kind/continue-token.ts',
      find: 'start: `/${token.after}\\0` };',
      replace: 'start: `/${token.after}` };',
    },
    {
      rule: 'an expired token is 410',
      file: memoryStore,
      find: 'historyMs = 5 * 60_000',
      replace: 'historyMs = 60 * 60_000',
    },
    {
      rule: 'APIResponseCompression is on by default, and off where it is switched off',
      file: 'src/server/http.ts',
      find: "features.enabled('APIResponseCompression'),",
      replace: 'true,',
    },
    {
      rule: 'gzip if the client accepts it',
      file: 'src/kind/features/gate-table.ts',
      find: "APIResponseCompression: [alpha('1.8'), beta('1.16')],",
      replace: "APIResponseCompression: [alpha('1.8')],",
    },
  ]),
  ...inSection('Events', [
    {
      rule: '3. only with allowWatchBookmarks',
      file: watch,
      find: 'bookmarks: options.allowWatchBookmarks,',
      replace: 'bookmarks: true,',
    },
    {
      rule: '6. metric of it',
      file: 'src/http/handlers/deprecated-apis.ts',
      find: '.value = 1;',
      replace: '.value = 2;',
    },
    {
      rule: '6. audit annotation of it',
      file: 'src/http/handlers/deprecated-apis.ts',
      find: "audit?.annotate(deprecated, 'true');",
      replace: '',
    },
    {
      rule: '6. Warning header of a deprecated endpoint',
      file: 'src/http/handlers/dispatch.ts',
      find: 'warnings.push(warning);\n  let isServed',
      replace: 'let isServed',
    },
  ]),
  ...inSection('Limits', [
    {
      rule: 'history for watch: 5 minutes',
      file: memoryStore,
      find: 'historyMs = 5 * 60_000',
      replace: 'historyMs = 3 * 60_000',
    },
    {
      rule: 'nominalConcurrencyShares',
      file: 'src/apis/flowcontrol/prioritylevelconfiguration.ts',
      find: 'default: 30,',
      replace: 'default: 31,',
    },
    {
      rule: 'CronJob history',
      file: 'src/apis/batch/cronjob.ts',
      find: 'spec.successfulJobsHistoryLimit ??= 3;',
      replace: 'spec.successfulJobsHistoryLimit ??= 1;',
    },
    {
      rule: 'Secret size',
      file: 'src/apis/core/data.ts',
      find: 'export const maxDataBytes = 1024 * 1024;',
      replace: 'export const maxDataBytes = 1024 * 1024 - 1;',
    },
    {
      rule: 'webhook defaults',
      file: 'src/apis/admissionregistration/webhook-fields.ts',
      find: 'default: 10,',
      replace: 'default: 30,',
    },
  ]),
];
