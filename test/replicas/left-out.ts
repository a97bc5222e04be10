/** What is not run on replicas, and why: what is about one process, or brings a store of its own. */
export interface LeftOut {
  readonly file: string;
  /** Left out: all of the file. */
  readonly test?: string;
  readonly why: string;
}

const ofOneProcess = 'it is about one process: its connections, its threads or what it counts';
const noStore = 'it is about HTTP alone, and there is no store';
const ownStore = 'it starts servers over a store that it looks into or shares itself';
const counts = 'it is about what one process counts, or does once for all who ask it';
const address = 'it is about where one server is';
const putsBack = 'only what is in memory is put back';

export const leftOut: readonly LeftOut[] = [
  { file: 'test/server/embedding.test.ts', why: 'it is about the server inside another program' },
  { file: 'test/server/etcd.test.ts', why: 'it starts servers on etcd itself' },
  { file: 'test/workers/write-threads.test.ts', why: ofOneProcess },
  { file: 'test/server/restart.test.ts', why: ofOneProcess },
  { file: 'test/server/shutdown.test.ts', why: ofOneProcess },
  { file: 'test/http/slow-watcher.test.ts', why: ofOneProcess },
  { file: 'test/flowcontrol/seats.test.ts', why: ofOneProcess },
  { file: 'test/flowcontrol/noisy-neighbour.test.ts', why: noStore },
  { file: 'test/http/responses.test.ts', why: noStore },
  { file: 'test/http/filters.test.ts', why: noStore },
  { file: 'test/http/hostile.test.ts', why: noStore },
  { file: 'test/http/paths.test.ts', why: noStore },
  { file: 'test/http/telemetry.test.ts', why: noStore },
  { file: 'test/http/watch.test.ts', why: noStore },
  { file: 'test/controllers/runtime.test.ts', why: ownStore },
  { file: 'test/controllers/service-ip-repair.test.ts', why: ownStore },
  { file: 'test/registry/undecodable-objects.test.ts', why: ownStore },
  { file: 'test/controllers/retries.test.ts', why: ownStore },
  {
    file: 'test/controllers/garbage-collection.test.ts',
    test: 'after a step back in time owners and dependents are as they were then',
    why: putsBack,
  },
  {
    file: 'test/controllers/namespace-deletion.test.ts',
    test: 'after a step back in time namespaces end as they were about to then',
    why: putsBack,
  },
  {
    file: 'test/controllers/default-service-account.test.ts',
    test: 'so has one that comes after the server was put back to another state',
    why: putsBack,
  },
  {
    file: 'test/apis/services.test.ts',
    test: 'after a reset what was taken is free again',
    why: putsBack,
  },
  {
    file: 'test/admission/priority.test.ts',
    test: 'one class is the default, and of several the smallest counts',
    why: putsBack,
  },
  {
    file: 'test/admission/pod-security.test.ts',
    test: 'how often pods were held against a standard is counted',
    why: counts,
  },
  {
    file: 'test/crd/conversion.test.ts',
    test: 'for many watchers a webhook converts each state once',
    why: counts,
  },
  {
    file: 'test/crd/conversion.test.ts',
    test: 'calls are counted by what came of them',
    why: counts,
  },
  {
    file: 'test/http/nodes.test.ts',
    test: 'leads to the first port of a pod, with the rest of the path, the query and the headers',
    why: address,
  },
  {
    file: 'test/server/service-allocation.test.ts',
    test: 'with HTTPS there is a service that leads to the server; it comes back when it is deleted',
    why: address,
  },
  {
    file: 'test/server/service-allocation.test.ts',
    test: 'who listens on every address is led to by endpoints, which follow the port',
    why: address,
  },
  {
    file: 'test/admission/resource-quota.test.ts',
    test: 'a limit holds from the moment it is written',
    why: 'at another server than that of the controllers a limit holds once it has been counted',
  },
  {
    file: 'test/spec/versioning.test.ts',
    test: 'a request to a deprecated endpoint is counted once, with its labels',
    why: counts,
  },
];
