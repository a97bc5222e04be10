/** Tests that do not run on replicas, with the reason: they are about one process, or use a store of their own. */
export interface ExcludedTest {
  readonly file: string;
  /** Absent: the whole file. */
  readonly test?: string;
  readonly reason: string;
}

const ofOneProcess = 'it is about one process: its connections, its threads or what it counts';
const noStore = 'it is about HTTP alone, and there is no store';
const ownStore = 'it starts servers over a store that it looks into or shares itself';
const counts = 'it is about what one process counts, or does once for all who ask it';
const address = 'it is about where one server is';
const putsBack = 'only what is in memory is put back';

export const excludedTests: readonly ExcludedTest[] = [
  { file: 'test/embed/client.test.ts', reason: 'it is about the server inside another program' },
  { file: 'test/embed/options.test.ts', reason: 'it is about the server inside another program' },
  { file: 'test/embed/snapshots.test.ts', reason: 'it is about the server inside another program' },
  { file: 'test/embed/start-server.test.ts', reason: 'it is about the server inside another program' },
  { file: 'test/server/etcd.test.ts', reason: 'it starts servers on etcd itself' },
  { file: 'test/workers/write-threads.test.ts', reason: ofOneProcess },
  { file: 'test/server/restart.test.ts', reason: ofOneProcess },
  { file: 'test/server/shutdown.test.ts', reason: ofOneProcess },
  { file: 'test/http/slow-watcher.test.ts', reason: ofOneProcess },
  { file: 'test/flowcontrol/seats.test.ts', reason: ofOneProcess },
  { file: 'test/flowcontrol/noisy-neighbour.test.ts', reason: noStore },
  { file: 'test/http/responses.test.ts', reason: noStore },
  { file: 'test/http/filters.test.ts', reason: noStore },
  { file: 'test/http/hostile.test.ts', reason: noStore },
  { file: 'test/http/paths.test.ts', reason: noStore },
  { file: 'test/http/telemetry.test.ts', reason: noStore },
  { file: 'test/http/watch.test.ts', reason: noStore },
  { file: 'test/controllers/runtime.test.ts', reason: ownStore },
  { file: 'test/controllers/service-ip-repair.test.ts', reason: ownStore },
  { file: 'test/registry/undecodable-objects.test.ts', reason: ownStore },
  { file: 'test/controllers/retries.test.ts', reason: ownStore },
  {
    file: 'test/controllers/garbage-collection.test.ts',
    test: 'after a restore the owner graph is rebuilt',
    reason: putsBack,
  },
  {
    file: 'test/controllers/namespace-deletion.test.ts',
    test: 'after a restore terminating namespaces are deleted',
    reason: putsBack,
  },
  {
    file: 'test/controllers/default-service-account.test.ts',
    test: 'a namespace created after a restore has one too',
    reason: putsBack,
  },
  {
    file: 'test/apis/services.test.ts',
    test: 'after a reset all allocations are released',
    reason: putsBack,
  },
  {
    file: 'test/admission/priority.test.ts',
    test: 'a second default PriorityClass is rejected; of several the lowest value applies',
    reason: putsBack,
  },
  {
    file: 'test/admission/pod-security.test.ts',
    test: 'evaluations are counted in the metrics',
    reason: counts,
  },
  {
    file: 'test/crd/conversion.test.ts',
    test: 'a state is converted once for many watchers',
    reason: counts,
  },
  {
    file: 'test/crd/conversion.test.ts',
    test: 'conversion calls are counted by result',
    reason: counts,
  },
  {
    file: 'test/http/nodes.test.ts',
    test: 'reaches the first port of a pod, with path, query and headers',
    reason: address,
  },
  {
    file: 'test/server/service-allocation.test.ts',
    test: 'with HTTPS there is a Service of the API server, which is recreated after deletion',
    reason: address,
  },
  {
    file: 'test/server/service-allocation.test.ts',
    test: 'who listens on every address is led to by endpoints, which follow the port',
    reason: address,
  },
  {
    file: 'test/admission/resource-quota.test.ts',
    test: 'a limit applies as soon as it is written',
    reason: 'at another server than that of the controllers a limit holds once it has been counted',
  },
  {
    file: 'test/spec/versioning.test.ts',
    test: 'a request to a deprecated endpoint is counted once, with its labels',
    reason: counts,
  },
];
