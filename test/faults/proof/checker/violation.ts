/** All violations, by the names that reports and mutations use. */
const rules = {
  'lost write': 'what was acknowledged is in the history and in every later state',
  'refused write': 'what was refused was not done',
  'repeated write': 'a write is done once',
  'late write': 'a write that was given up is not done long after that',
  'unasked change': 'every change was asked for by somebody',
  'ignored precondition': 'a conditional write follows the very revision it was conditioned on',
  'lost update': 'a patch keeps what it does not name, and a deletion shows what was there',
  'reused revision': 'a revision belongs to one change',
  'revision went back': 'a write gets a higher revision than all that was seen before it began',
  'needless conflict': 'a write is refused as a conflict only where there was one',
  'broken chain': 'an object is added where there was none, and changed or deleted where there was one',
  'missed event': 'a watcher hears of every change',
  'repeated event': 'a watcher hears of a change once, and in order',
  'differing events': 'all watchers hear the same of a change',
  'lying bookmark': 'after a bookmark nothing older comes, and nothing older is missing',
  'wrong list': 'a list is the state at its revision',
  'wrong get': 'what is read is a state that there was',
  'stale read':
    'a read is as new as it asks for; one of the newest state as what anybody had seen before it began',
  'needless expiry': 'history is said to be cut only where it was',
  'early lease': 'a lease is taken from another only once it has run out',
  'two leaders': 'leaders never overlap',
  'dead server': 'a server does not end by itself',
  'no recovery': 'when all faults are over, everything works again by itself',
} as const;

export type Rule = keyof typeof rules;

export interface Violation {
  readonly rule: Rule;
  readonly what: string;
}

export type Report = (rule: Rule, what: string) => void;
