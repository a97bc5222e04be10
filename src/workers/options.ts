// Worker threads: their options.

export interface WorkerOptions {
  /**
   * Worker threads that prepare writes while the serving thread is busy; `auto` is the number of processors less one, at
   * most 4. Unless it is 0, one more worker thread prepares large writes.
   */
  readonly writeThreads: number | 'auto';
}

export const defaultWorkerOptions: WorkerOptions = {
  writeThreads: 0,
};
