// The word list of `npm run check`: finds private words where the field has a term, files of src/, console/, bench/ and scripts/
// without an opening comment, and exported type names with two meanings.
import { globSync, readFileSync } from 'node:fs';

interface Finding {
  readonly rule: string;
  readonly place: string;
}

/** Names that a declaration may not have, and the term to use. */
const names: Readonly<Record<string, string>> = {
  Writing: 'WriteExecutor',
  carryOut: 'executeWrite',
  PlanningStore: 'SnapshotStore',
  BeyondPlan: 'NotOffloadable',
  LearntKinds: 'WorkerCustomResources',
  Turns: 'CooperativeYield or KeyedMutex',
  Opened: 'AsyncDisposables',
  mayLag: 'a reader of the store',
  onNewestState: 'retryOnConflict',
  Overtaken: 'TransactionConflict',
  Series: 'ConflictScope',
  Witness: 'AuditHook',
  OwnDeeds: 'InternalRequestAudit',
  settleOwners: 'updateManagedFields',
  layIntent: 'applyConfiguration',
  withoutQuarrel: 'resolveConflicts',
  Forms: 'Serializers',
  Elsewhere: 'SerializationWorker',
  Present: 'AgeFormatter',
  GappedRows: 'RowTemplates',
  KeptOfRuns: 'EncodedChunkCache',
  LateEvents: 'OrderedAsyncSink',
  StandingObjects: 'ApiServerEndpoints',
  Sort: 'AdmissionTarget',
  Meters: 'Metrics',
  Lost: 'WatchGap',
  Heads: 'HeadReader',
  Effort: 'CostBudget',
  Busyness: 'LoopLoad',
  phantom: 'dryRunResult',
  glanceAt: 'decodeLazily',
  puzzling: 'unresolvedOwners',
  hear: 'onChange',
  Announcements: 'RegisteredVersions',
  KnownService: 'RegisteredService',
  LocalServices: 'AutoregisterController',
  RemoteServices: 'AvailabilityController',
  RemoteAsker: 'RemoteFetcher',
  RemoteAnswer: 'RemoteResponse',
  RemoteDescription: 'RemoteOpenApi',
  OtherServers: 'AggregatedOpenApi',
  CustomPieces: 'CustomResourceParts',
  ForeignPieces: 'AggregatedParts',
  ClusterChoice: 'ClusterSettings',
  chosenAccess: 'resolveClusterAccess',
  TakenFor: 'Impersonation',
  NoSuchKind: 'ResourceNotFound',
  isWebAddress: 'isHttpUrl',
  readQuestion: 'resolveAccessCheck',
  refuseForeignDirectory: 'rejectForeignDirectory',
  tokenLife: 'tokenLifetime',
  yesOrNo: 'bool',
  yesNoOrOpen: 'optionalBool',
  AuditSink: 'AuditBackend',
  BadAuthorities: 'InvalidCABundle',
  Authorities: 'CaBundle',
  systemAuthorities: 'systemRootCertificates',
  LearntKind: 'CustomResource',
  Brought: 'RequestObject',
  noteBrought: 'recordRequestObject',
  notePatch: 'recordPatch',
  noteDeleteOptions: 'recordDeleteOptions',
  clientThatLeavesNotes: 'a client with an AuditHook',
  Deed: 'AuditedWrite',
  Matter: 'a validation context',
  Intent: 'AppliedConfiguration',
  BadIntent: 'InvalidApplyConfiguration',
  readIntent: 'decodeApplyConfiguration',
  mergeIntent: 'mergeConfiguration',
  applyIntent: 'applyConfiguration',
  layOut: 'applyConfiguration',
  isChosenLate: 'selectorNeedsConversion',
  lastStays: 'keepsLast',
  userKeyed: 'mapOfUserKeys',
  WhatIsThere: 'a snapshot',
  Rulebook: 'PolicyRules',
  ShownAs: 'ConversionTarget',
  PolicySet: 'PolicyCache',
  readIp: 'parseIp',
  ipText: 'formatIp',
  readCidr: 'parseCidr',
  cidrText: 'formatCidr',
  endGracefully: 'shutDown',
  standForElection: 'runLeaderElection',
  refuseInvalid: 'rejectInvalid',
  whyUnreachable: 'connectionErrorMessage',
  AnswerIsLate: 'RequestTimeout',
  questionFor: 'conversionReview',
};

/** Phrases that no text may have, and what to write. */
const phrases: Readonly<Record<string, string>> = {
  'have a say': 'admission runs',
  'has a say': 'admission runs',
  learnt: 'custom resources, or: received',
  'time that passes': 'monotonic time',
  'who asks': 'the caller',
  'shows no credentials': 'an anonymous request',
  'told is done': 'the latest acknowledged revision',
  'lays the intent': 'merges the applied configuration',
  'settles the owners': 'updates managedFields',
  'was faster': 'the object changed concurrently',
  'works it out elsewhere': 'prepares the write on a worker thread',
  'etcd forget': 'compacts the history of etcd',
};

/** Words that no name or comment outside of tests may have, and the term to use. Names are split at capital letters. */
const privateWords: Readonly<Record<string, string>> = {
  anew: 'again',
  asked: 'requested',
  asker: 'caller, client',
  begun: 'started',
  brought: 'received, request object',
  busyness: 'load',
  deed: 'write',
  elsewhere: 'on a worker thread, in another file',
  glance: 'decode lazily',
  heard: 'received',
  hearer: 'listener',
  hearing: 'listening',
  learn: 'add, register',
  learnt: 'custom resource, received',
  meant: 'suggestion, resolved',
  meter: 'metric',
  meters: 'metrics',
  misfit: 'mismatch',
  noted: 'recorded',
  overtaken: 'conflict',
  patience: 'timeout',
  phantom: 'dry-run result',
  puzzling: 'unresolved',
  quarrel: 'conflict',
  said: 'given, requested',
  shower: 'encoder',
  somebody: 'another client',
  telling: 'notifying',
  told: 'notified',
  wanted: 'desired, requested, expected',
  wish: 'request',
};

/** Messages of upstream, which have some of these words. */
const upstreamMessages = [
  'has asked for the client to provide credentials',
  'has asked us to try again later',
  'when we asked for exactly one',
  'but wanted to match',
];

/** The word list itself, the text of the specification, and results of benchmarks. */
const exempt = ['scripts/words.ts', 'docs/reference/spec-coverage.md'];
const files = ['{src,console,test,bench,scripts}/**/*.{ts,tsx,mjs,md}', 'docs/**/*.md', '*.md']
  .flatMap((pattern) => globSync(pattern))
  .filter((file) => !exempt.includes(file) && !/\/testdata\/|^bench\/results\//.test(file))
  .sort();

function findPrivateWords(file: string, text: string): Finding[] {
  if (file.startsWith('test/') || /\.(test|fixture)\.ts$/.test(file)) return [];
  return text.split('\n').flatMap((line, index) =>
    (withoutUpstreamMessages(line).match(/[A-Z]?[a-z]+/g) ?? [])
      .map((word) => word.toLowerCase())
      .filter((word) => Object.hasOwn(privateWords, word))
      .map((word) => ({ rule: `word ${word}: write ${privateWords[word]}`, place: `${file}:${index + 1}` })),
  );
}

function withoutUpstreamMessages(line: string): string {
  return upstreamMessages.reduce((text, message) => text.replace(message, ''), line);
}

function findWords(file: string, text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const place = `${file}:${index + 1}`;
    const [, declared = ''] =
      /\b(?:class|interface|type|function|const|let|readonly|#)\s*(\w+)/.exec(line) ?? [];
    const byName = Object.hasOwn(names, declared)
      ? [{ rule: `name ${declared}: write ${names[declared]}`, place }]
      : [];
    const lower = line.toLowerCase();
    const byPhrase = Object.entries(phrases)
      .filter(([phrase]) => lower.includes(phrase))
      .map(([phrase, instead]) => ({ rule: `phrase "${phrase}": write "${instead}"`, place }));
    return [...byName, ...byPhrase];
  });
}

/** Tests and fixtures are exempt: the names of the tests say what they are about. */
function findOpening(file: string, text: string): Finding[] {
  if (!/^(src|console|bench|scripts)\/.*\.(tsx?|mjs)$/.test(file) || /\.(test|fixture)\.ts$/.test(file))
    return [];
  if (/^(#!.*\n)?\/[/*]/.test(text)) return [];
  return [{ rule: 'file without an opening comment: say in one sentence what it is', place: `${file}:1` }];
}

/** Types of kinds in src/apis/ have upstream's names, which several API groups use. */
function findRepeatedTypes(texts: ReadonlyMap<string, string>): Finding[] {
  const places = new Map<string, string[]>();
  for (const [file, text] of texts) {
    if (!/^src\/(?!apis\/).*\.ts$/.test(file)) continue;
    for (const [, name] of text.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)) {
      const found = places.get(name!) ?? [];
      if (!found.includes(file)) places.set(name!, [...found, file]);
    }
  }
  return [...places]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => ({
      rule: 'exported type name in two files: make it specific',
      place: `${found.join(', ')} ${name}`,
    }));
}

const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const findings = [
  ...[...texts].flatMap(([file, text]) => [
    ...findWords(file, text),
    ...findPrivateWords(file, text),
    ...findOpening(file, text),
  ]),
  ...findRepeatedTypes(texts),
];
for (const { rule, place } of findings) console.log(`${place}: ${rule}`);
if (findings.length > 0) process.exitCode = 1;
