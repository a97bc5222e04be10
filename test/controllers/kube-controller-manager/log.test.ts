import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyProblems, problemLines } from './log.ts';

const line = (level: string, said: string) =>
  `${level}1115 08:26:26.209043   19788 some_file.go:121] ${said}`;

test('errors, warnings and unparsable lines are problems; other lines are not', () => {
  const log = [
    line('I', '"Caches are synced" controller="node"'),
    line('I', '"Finished" err="<nil>"'),
    line('I', '"error updating status" error="unknown format"'),
    line('I', '"Dropping it" err="not found"'),
    line('W', 'deprecated'),
    line('E', '"Unhandled Error"'),
    'panic: nil map',
    '',
  ].join('\n');
  assert.deepEqual(
    problemLines(log).map(({ said }) => said),
    [
      'I some_file.go "error updating status" error="unknown format"',
      'I some_file.go "Dropping it" err="not found"',
      'W some_file.go deprecated',
      'E some_file.go "Unhandled Error"',
      'panic: nil map',
    ],
  );
});

test('problems are divided into expected and unexpected ones', () => {
  const entry = { says: /^E some_file\.go "Conflict"/, because: 'it tries again' };
  const log = [line('E', '"Conflict"'), line('E', '"Conflict"'), line('W', '"Conflict"')].join('\n');
  const { unexpected, counts } = classifyProblems(problemLines(log), [entry]);
  assert.deepEqual(
    unexpected.map(({ said }) => said),
    ['W some_file.go "Conflict"'],
  );
  assert.equal(counts.get(entry), 2);
});
