/** All violations, by the names that reports and mutations use. */
const rules = {
  'lost write': 'an acknowledged write is in the history and in every later state',
  'refused write': 'a rejected write was not committed',
  'repeated write': 'a write is committed once',
  'late write': 'a write whose client gave up is not committed long after that',
  'unasked change': 'every change was requested by a client',
  'ignored precondition': 'a conditional write directly follows the revision in its precondition',
  'lost update': 'a patch keeps the fields it does not name, and a deletion returns the last state',
  'reused revision': 'a revision belongs to one change',
  'revision went back': 'a write gets a higher revision than all revisions observed before it began',
  'needless conflict': 'a conditional write fails only on a real conflict',
  'broken chain':
    'an ADDED event requires that the object did not exist; MODIFIED and DELETED require that it did',
  'missed event': 'a watcher receives every change',
  'repeated event': 'a watcher receives a change once, and in order',
  'differing events': 'all watchers receive the same event for a change',
  'lying bookmark': 'after a bookmark no older event follows, and none is missing',
  'wrong list': 'a list is the state at its revision',
  'wrong get': 'a read returns a state that existed',
  'stale read':
    'a read is as recent as requested; a read of the latest state reflects everything observed before it began',
  'needless expiry': '410 is returned only for compacted history',
  'early lease': 'another server acquires the Lease only after it has expired',
  'two leaders': 'no two servers lead at the same time',
  'dead server': 'no server process exits on its own',
  'no recovery': 'after the last fault everything recovers without intervention',
} as const;

export type Rule = keyof typeof rules;

export interface Violation {
  readonly rule: Rule;
  readonly what: string;
}

export type Report = (rule: Rule, what: string) => void;
