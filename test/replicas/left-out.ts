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
];
