/**
 * Mutations of the server, each against one guarantee. They are applied to a copy of src/, and the checker must detect them:
 * an undetected mutation shows a gap of the proof.
 */
import type { Rule } from '../checker/violation.ts';
import type { Storage } from '../plan.ts';

interface Edit {
  /** Below src/. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly from: string;
  readonly to: string;
}

export interface Mutation {
  readonly name: string;
  readonly storage: Storage;
  readonly edits: readonly Edit[];
  /** The faults that expose it, as `--plan` takes them. */
  readonly plan: string;
  readonly seconds: number;
  /** One of these violations must be found. */
  readonly finds: readonly Rule[];
}

const groupCommit = 'store/lmdb/group-commit.ts';
const watchReplay = 'store/watch/watch-replay.ts';
const hub = 'store/watch/hub.ts';
const etcdStore = 'store/etcd/etcd-store.ts';
const election = 'controllers/runtime/leader-election.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'acknowledge before it is on disk',
    storage: 'lmdb',
    edits: [
      {
        file: groupCommit,
        from: 'batch.wait({ done: () => resolve(prepared.change), failed: reject });',
        to: 'batch.wait({ done: () => {}, failed: reject });\n      resolve(prepared.change);',
      },
      {
        file: groupCommit,
        from: 'await this.#environment.write((tables) => batch.write(tables, snapshot, this.#indexes), batch.cost);',
        to: 'await new Promise((resolve) => setTimeout(resolve, 20));\n      await this.#environment.write((tables) => batch.write(tables, snapshot, this.#indexes), batch.cost);',
      },
    ],
    plan: 'kill',
    seconds: 15,
    finds: ['lost write'],
  },
  {
    name: 'do not look at preconditions',
    storage: 'lmdb',
    edits: [
      {
        file: groupCommit,
        from: 'if (hasOtherRevision || deletesAbsentKey) {',
        to: 'if (deletesAbsentKey) {',
      },
    ],
    plan: 'pause',
    seconds: 12,
    finds: ['ignored precondition', 'lost update', 'broken chain'],
  },
  {
    name: 'leave out an event while catching up',
    storage: 'lmdb',
    edits: [
      {
        file: watchReplay,
        from: 'watcher.position = change.revision;',
        to: 'watcher.position = change.revision;\n      if (change.revision % 7 === 0) continue;',
      },
    ],
    plan: 'kill',
    seconds: 12,
    finds: ['missed event'],
  },
  {
    name: 'tell of an event twice when a watch is handed over',
    storage: 'lmdb',
    edits: [
      {
        file: hub,
        from: 'this.#findChannel(request)?.flush();\n    let channel',
        to: 'let channel',
      },
      {
        file: 'store/watch/channel.ts',
        from: "if (this.#pending.length > 0) throw new Error('a watcher would receive an event twice');",
        to: '',
      },
      {
        file: hub,
        from: 'if (delay < 1) setImmediate(() => this.#flush());',
        to: 'if (delay < 1) setTimeout(() => this.#flush(), 30);',
      },
    ],
    plan: 'kill',
    seconds: 15,
    finds: ['repeated event'],
  },
  {
    name: 'resume a watch one event too early',
    storage: 'lmdb',
    edits: [
      {
        file: watchReplay,
        from: "watcher.position = start === 'now' ? this.#store.revision : start.after;",
        to: "watcher.position = start === 'now' ? this.#store.revision : start.after - 1;",
      },
    ],
    plan: 'kill',
    seconds: 12,
    finds: ['repeated event', 'lying bookmark'],
  },
  {
    name: 'bookmarks ahead of events',
    storage: 'lmdb',
    edits: [
      {
        file: hub,
        from: 'this.#findChannel(request)?.bookmark(this.#dispatchedRevision, watcher);',
        to: 'this.#findChannel(request)?.bookmark(this.#dispatchedRevision + 5, watcher);',
      },
    ],
    plan: 'pause',
    seconds: 15,
    finds: ['lying bookmark'],
  },
  {
    name: 'lists that call themselves newer than they are',
    storage: 'lmdb',
    edits: [
      {
        file: 'registry/verbs/list.ts',
        from: 'resourceVersion: String(exactRevision ?? revision),',
        to: 'resourceVersion: String((exactRevision ?? revision) + 2),',
      },
    ],
    plan: 'pause',
    seconds: 12,
    finds: ['wrong list'],
  },
  {
    name: 'lists of a past revision show the newest state',
    storage: 'lmdb',
    edits: [
      {
        file: 'registry/verbs/list.ts',
        from: '...(exactRevision !== undefined && { exactRevision }),',
        to: '',
      },
    ],
    plan: 'pause',
    seconds: 12,
    finds: ['wrong list'],
  },
  {
    name: 'history that is cut without a word',
    storage: 'lmdb',
    edits: [
      {
        file: hub,
        from: "const isCompacted = start !== 'now' && startRevisionOf(start) < this.#store.compacted;",
        to: 'const isCompacted = false;',
      },
      {
        file: watchReplay,
        from: "watcher.position = start === 'now' ? this.#store.revision : start.after;",
        to: "watcher.position = start === 'now' ? this.#store.revision : Math.max(start.after, this.#store.compacted);",
      },
    ],
    plan: 'clock',
    seconds: 20,
    finds: ['missed event', 'lying bookmark'],
  },
  {
    name: 'a restart that forgets history',
    storage: 'lmdb',
    edits: [
      {
        file: hub,
        from: 'startRevisionOf(start) < this.#store.compacted;',
        to: 'startRevisionOf(start) < this.#born;',
      },
      {
        file: hub,
        from: '  #dispatchedRevision: Revision;\n',
        to: '  #dispatchedRevision: Revision;\n  readonly #born: Revision;\n',
      },
      {
        file: hub,
        from: '    this.#dispatchedRevision = store.revision;\n    this.#replay',
        to: '    this.#dispatchedRevision = store.revision;\n    this.#born = store.revision;\n    this.#replay',
      },
    ],
    plan: 'kill',
    seconds: 12,
    finds: ['needless expiry'],
  },
  {
    name: 'read the newest state without asking etcd',
    storage: 'etcd',
    edits: [
      {
        file: 'registry/verbs/get.ts',
        from: "if (resourceVersion === '') await api.store.head();\n  else if",
        to: 'if',
      },
    ],
    plan: 'cut',
    seconds: 20,
    finds: ['stale read', 'wrong get'],
  },
  {
    name: 'write to etcd without a condition',
    storage: 'etcd',
    edits: [
      {
        file: etcdStore,
        from: "expect: mustExist ? 'exists' : expected,",
        to: "expect: mustExist ? 'exists' : undefined,",
      },
    ],
    plan: 'delay',
    seconds: 20,
    finds: ['ignored precondition', 'lost update', 'broken chain'],
  },
  {
    name: 'leave out an event when etcd is followed again',
    storage: 'etcd',
    edits: [
      {
        file: 'store/etcd/etcd-watch.ts',
        from: 'from: this.#marker.toEtcdRevision(after) + 1',
        // Not at its start, which the server would not survive.
        to: 'from: this.#marker.toEtcdRevision(after) + (process.uptime() > 15 ? 4 : 1)',
      },
    ],
    plan: 'cut',
    seconds: 20,
    finds: ['missed event', 'lying bookmark', 'lost write', 'wrong list', 'stale read'],
  },
  {
    name: 'refuse a write of which nobody knows whether it was done',
    storage: 'etcd',
    edits: [
      {
        file: etcdStore,
        from: 'if (isExpectedFailure(error)) throw error;',
        to: 'throw error instanceof TransactionConflict ? error : new PreconditionFailed(key, this.get(key));',
      },
    ],
    plan: 'deaf',
    seconds: 25,
    finds: ['refused write'],
  },
  {
    name: 'work on when the lease has run out',
    storage: 'etcd',
    edits: [
      {
        file: election,
        from: 'const deadline = attemptStart + timing.renewDeadlineMs;',
        to: 'const deadline = attemptStart + 60_000;',
      },
    ],
    plan: 'long-cut',
    seconds: 20,
    finds: ['two leaders'],
  },
  {
    name: 'take the lease before it has run out',
    storage: 'etcd',
    edits: [{ file: election, from: 'leaseDurationSeconds * 1000;', to: 'leaseDurationSeconds * 200;' }],
    plan: 'long-cut',
    seconds: 20,
    finds: ['early lease', 'two leaders'],
  },
  {
    name: 'measure the lease by a clock that may be set',
    storage: 'etcd',
    edits: [
      {
        file: election,
        from: 'const monotonicMs = this.#config.clock.elapsed();',
        to: 'const monotonicMs = this.#config.clock.now();',
      },
    ],
    // While the leader is paused: a renewal that is observed after the clock was moved hides it.
    plan: 'long-cut+clock',
    seconds: 30,
    finds: ['early lease', 'two leaders'],
  },
];
