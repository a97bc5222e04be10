import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTask } from '../../base/cooperative-yield.ts';
import { CostBudget } from './cost-budget.ts';
import { Patterns } from './patterns.ts';

class Tried {
  readonly patterns = new Patterns();

  matches(pattern: string, text: string) {
    return runTask(this.patterns.matches(pattern, text, new CostBudget()));
  }

  problemOf(pattern: string) {
    return runTask(this.patterns.problemOf(pattern, new CostBudget()));
  }
}

test('a pattern matches somewhere in a text', async () => {
  const patterns = new Tried();
  assert.equal(await patterns.matches('b+', 'abc'), true);
  assert.equal(await patterns.matches('^b', 'abc'), false);
});

test('what is no pattern is told in the words of RE2, and matches nothing', async () => {
  const patterns = new Tried();
  assert.equal(await patterns.problemOf('a'), undefined);
  assert.equal(await patterns.problemOf('['), 'error parsing regexp: missing closing ]: `[`');
  assert.equal(
    await patterns.problemOf('\\'),
    'error parsing regexp: trailing backslash at end of expression: ``',
  );
  assert.match(String(await patterns.problemOf('(?=a)')), /unsupported Perl syntax/);
  assert.match(String(await patterns.problemOf('(x{1000}){1000}')), /invalid repeat count/);
  assert.equal(await patterns.matches('[', '['), false);
});

test('a definition has so many different patterns and no more', async () => {
  const patterns = new Tried();
  for (let i = 0; i < 2_000; i++) assert.equal(await patterns.problemOf(`a${i}`), undefined);
  assert.equal(await patterns.problemOf('a0'), undefined);
  assert.match(String(await patterns.problemOf('one more')), /more than 2000 different patterns/);
});

test('what takes long is compiled and matched elsewhere, and gives the same', async () => {
  const patterns = new Tried();
  const long = `^(?:${'a?'.repeat(1_000)})$`;
  assert.ok(patterns.problemOf(long) instanceof Promise);
  assert.equal(
    await patterns.problemOf(`${long}(`),
    'error parsing regexp: missing closing ): `'.concat(long, '(`'),
  );
  assert.equal(await patterns.matches(long, 'a'.repeat(1_000)), true);
  assert.equal(await patterns.matches(long, 'a'.repeat(1_001)), false);
  const text = 'x'.repeat(300_000);
  assert.ok(patterns.matches('^x*$', text) instanceof Promise);
  assert.equal(await patterns.matches('^x*$', text), true);
  assert.equal(await patterns.matches('^x*$', `${text}y`), false);
});

test('a pattern that takes forever is given up', async () => {
  const patterns = new Tried();
  // A minute of work: each of so many characters leads to another set of as many states.
  const text = 'a'.repeat(400_000);
  await assert.rejects(async () => patterns.matches(`^(?:${'a?'.repeat(40_000)})$`, text), {
    code: 400,
    message: 'matching a pattern takes too long',
  });
  assert.equal(await patterns.matches('^a*$', text), true);
});
