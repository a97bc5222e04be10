import type { ObservedObject, RecordedWrite } from '../record.ts';
import type { Floor } from './floor.ts';
import { type Change, describe, exists, type History, isInferred, sameObject } from './history.ts';
import type { Report } from './violation.ts';

/** How long after its client gave up a write may still be committed: pauses and timeouts added up. */
const LATEST_MS = 45_000;

/** Every acknowledged write is in the history, once, in order and after its precondition; nothing else is. */
export function checkWrites(
  writes: readonly RecordedWrite[],
  history: History,
  floor: Floor,
  report: Report,
): void {
  const made = new Made(writes, history, report);
  for (const write of writes) {
    const changes = made.by(write);
    if (changes.length > 1)
      report(
        'repeated write',
        `${write.id} was done as ${changes.map(({ object }) => describe(object)).join(' and ')}`,
      );
    if (write.outcome === 'done') checkAcknowledged(write, history, floor, report);
    else if (write.outcome === 'unknown' && changes[0]) checkLate(write, changes[0], writes, report);
    if (write.code === 409 && write.expected !== undefined) checkConflict(write, history, made, report);
  }
}

/** The change of each write. */
class Made {
  readonly #byId = new Map<string, Change[]>();
  readonly #writes: ReadonlyMap<string, RecordedWrite>;

  constructor(writes: readonly RecordedWrite[], history: History, report: Report) {
    this.#writes = new Map(writes.map((write) => [write.id, write]));
    const deletions = writes.filter(({ verb, outcome }) => verb === 'delete' && outcome !== 'refused');
    for (const name of history.names) {
      const chain = history.chainOf(name);
      for (const [at, change] of chain.entries()) {
        if (isInferred(change)) continue;
        const before = beforeOf(chain, at);
        checkLink(change, before, report);
        if (change.type === 'DELETED') checkDeletion(change, deletions, report);
        else this.#attribute(change, before, report);
      }
    }
  }

  by({ id }: RecordedWrite): readonly Change[] {
    return this.#byId.get(id) ?? [];
  }

  /** The author of a change; unknown for deletions. */
  authorOf(chain: readonly Change[], at: number): RecordedWrite | undefined {
    const change = chain[at];
    if (!change || isInferred(change) || change.type === 'DELETED') return undefined;
    return this.#writes.get(authorId(change, beforeOf(chain, at)) ?? '');
  }

  #attribute(change: Change, before: ObservedObject | undefined, report: Report): void {
    const { object, observedAt } = change;
    const id = authorId(change, before);
    const write = this.#writes.get(id ?? '');
    if (id === undefined || !write || write.name !== object.name || write.began >= observedAt) {
      report(
        'unasked change',
        `no client had requested ${describe(object)} after ${before ? describe(before) : 'nothing'}`,
      );
      return;
    }
    this.#byId.set(id, [...(this.#byId.get(id) ?? []), change]);
    if (write.outcome === 'refused')
      report('refused write', `${id} was refused with ${write.code}, and is ${describe(object)}`);
    if (write.expected !== undefined && write.expected !== before?.revision)
      report(
        'ignored precondition',
        `${describe(object)} was to follow revision ${write.expected} and follows ${before?.revision ?? 'nothing'}`,
      );
  }
}

function beforeOf(chain: readonly Change[], at: number): ObservedObject | undefined {
  const previous = chain[at - 1];
  return previous && exists(previous) ? previous.object : undefined;
}

/** The author of a change, by its token. A patch keeps the token it found; otherwise another write is taken for the author. */
function authorId({ object }: Change, before: ObservedObject | undefined): string | undefined {
  if (object.token !== before?.token) return object.token;
  return object.patch === before.patch ? undefined : object.patch;
}

function checkLink({ type, object }: Change, before: ObservedObject | undefined, report: Report): void {
  const after = before ? describe(before) : 'nothing';
  if ((type === 'ADDED') === (before !== undefined) || (before && before.uid !== object.uid))
    report('broken chain', `${type} ${describe(object)} after ${after}`);
  else if (before && type === 'DELETED' && !sameObject(before, object))
    report('lost update', `${describe(object)} was deleted, though it was ${after}`);
}

function checkDeletion(
  { object, observedAt }: Change,
  deletions: readonly RecordedWrite[],
  report: Report,
): void {
  if (deletions.some(({ name, began }) => name === object.name && began < observedAt)) return;
  report('unasked change', `no client had requested to delete ${describe(object)}`);
}

function checkAcknowledged(write: RecordedWrite, history: History, floor: Floor, report: Report): void {
  const { verb, name, began, ended, object: written } = write;
  if (verb === 'delete') checkDeleted(write, history, report);
  if (!written) return;
  const seen = floor.before(began);
  if (written.revision <= seen)
    report('revision went back', `${describe(written)} was written after revision ${seen} was seen`);
  const change = history.chainOf(name).find(({ object }) => object.revision === written.revision);
  if (!history.tells(written.revision) || (change && exists(change) && sameObject(change.object, written)))
    return;
  const where = `${history.collection}/${describe(written)}`;
  report('lost write', `${where} was acknowledged at ${Math.round(ended)} ms, and is not in the history`);
}

function checkDeleted({ id, name, uid, expected }: RecordedWrite, history: History, report: Report): void {
  const chain = history.chainOf(name);
  const at = chain.findIndex((change) => !exists(change) && change.object.uid === uid);
  const change = chain[at];
  if (!change) {
    // An object that was created and deleted within a gap is not in the history.
    if (history.gaps.length === 0)
      report(
        'lost write',
        `the deletion ${id} of ${history.collection}/${name} was acknowledged, and is not in the history`,
      );
    return;
  }
  const before = beforeOf(chain, at);
  if (expected !== undefined && change.type === 'DELETED' && before?.revision !== expected)
    report(
      'ignored precondition',
      `${name} was to be deleted at revision ${expected} and was at ${before?.revision}`,
    );
}

/** At some moment of the request, the revision of the precondition was no longer the latest. */
function checkConflict(write: RecordedWrite, history: History, made: Made, report: Report): void {
  const { id, name, ended, expected } = write;
  const chain = history.chainOf(name);
  const at = chain.findIndex(({ object }) => object.revision === expected);
  const next = chain[at + 1];
  if (at < 0 || (next && (next.type === 'DELETED' || isInferred(next)))) return;
  if (next && (made.authorOf(chain, at + 1)?.began ?? 0) <= ended) return;
  report('needless conflict', `${id} was refused with 409, though ${name} was still at revision ${expected}`);
}

/** A write that was given up is not committed after a write that began long after that. */
function checkLate(
  { id, ended }: RecordedWrite,
  { object }: Change,
  writes: readonly RecordedWrite[],
  report: Report,
): void {
  const later = writes.find(
    (write) => write.began > ended + LATEST_MS && write.object && write.object.revision < object.revision,
  );
  if (later)
    report('late write', `${id} was given up at ${Math.round(ended)} ms, and done after ${later.id}`);
}
