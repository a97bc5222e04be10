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
  { file: 'test/api/embedding.test.ts', why: 'it is about the server inside another program' },
  { file: 'test/api/etcd.test.ts', why: 'it starts servers on etcd itself' },
  { file: 'test/api/write-threads.test.ts', why: ofOneProcess },
  { file: 'test/api/resume.test.ts', why: ofOneProcess },
  { file: 'test/api/shutdown.test.ts', why: ofOneProcess },
  { file: 'test/api/slow-watcher.test.ts', why: ofOneProcess },
  { file: 'test/api/flow-seats.test.ts', why: ofOneProcess },
  { file: 'test/api/noisy-neighbour.test.ts', why: noStore },
  { file: 'test/api/http-answers.test.ts', why: noStore },
  { file: 'test/api/http-filters.test.ts', why: noStore },
  { file: 'test/api/http-hostile.test.ts', why: noStore },
  { file: 'test/api/http-paths.test.ts', why: noStore },
  { file: 'test/api/http-telemetry.test.ts', why: noStore },
  { file: 'test/api/http-watch.test.ts', why: noStore },
  { file: 'test/api/controller-framework.test.ts', why: ownStore },
  { file: 'test/api/service-repair.test.ts', why: ownStore },
  { file: 'test/api/unreadable.test.ts', why: ownStore },
  { file: 'test/api/controllers/left-undone.test.ts', why: ownStore },
  {
    file: 'test/api/controllers/garbage-collection.test.ts',
    test: 'after a step back in time owners and dependents are as they were then',
    why: putsBack,
  },
  {
    file: 'test/api/controllers/namespace-deletion.test.ts',
    test: 'after a step back in time namespaces end as they were about to then',
    why: putsBack,
  },
  {
    file: 'test/api/namespace-objects.test.ts',
    test: 'so has one that comes after the server was put back to another state',
    why: putsBack,
  },
  {
    file: 'test/api/services.test.ts',
    test: 'after a reset what was taken is free again',
    why: putsBack,
  },
  {
    file: 'test/api/admission/priority.test.ts',
    test: 'one class is the default, and of several the smallest counts',
    why: putsBack,
  },
  {
    file: 'test/api/admission/pod-security.test.ts',
    test: 'how often pods were held against a standard is counted',
    why: counts,
  },
  {
    file: 'test/api/custom/conversion.test.ts',
    test: 'for many watchers a webhook converts each state once',
    why: counts,
  },
  {
    file: 'test/api/custom/conversion.test.ts',
    test: 'calls are counted by what came of them',
    why: counts,
  },
  {
    file: 'test/api/nodes.test.ts',
    test: 'leads to the first port of a pod, with the rest of the path, the query and the headers',
    why: address,
  },
  {
    file: 'test/api/service-restart.test.ts',
    test: 'with HTTPS there is a service that leads to the server; it comes back when it is deleted',
    why: address,
  },
  {
    file: 'test/api/service-restart.test.ts',
    test: 'who listens on every address is led to by endpoints, which follow the port',
    why: address,
  },
  {
    file: 'test/api/admission/resource-quota.test.ts',
    test: 'a limit holds from the moment it is written',
    why: 'at another server than that of the controllers a limit holds once it has been counted',
  },
  {
    file: 'test/spec/versioning.test.ts',
    test: 'a request to a deprecated endpoint is counted once, with its labels',
    why: counts,
  },
];
