// Tests of flag parsing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from './command.ts';
import { type Flag, parseFlags } from './flags.ts';

interface Settings {
  readonly size: string;
  readonly v: string;
}

const text = (name: keyof Settings): Flag<Settings> => ({
  name,
  placeholder: 'TEXT',
  about: '',
  parse(value) {
    if (value === 'bad') throw new CommandError('is bad');
    return { [name]: value };
  },
  format: (settings) => settings[name],
});

const parse = (...args: string[]) => parseFlags([text('size'), text('v')], args);

test('parseFlags reads a value after a space or after an equals sign', () => {
  assert.deepEqual(parse('--size', '3').settings, { size: '3' });
  assert.deepEqual(parse('--size=3').settings, { size: '3' });
  assert.deepEqual(parse('--size=a=b').settings, { size: 'a=b' });
  assert.deepEqual(parse('--size=').settings, { size: '' });
});

test('parseFlags reads every syntax of a one-letter flag', () => {
  for (const args of [['-v', '3'], ['-v=3'], ['-v3'], ['--v=3'], ['--v', '3']]) {
    assert.deepEqual(parse(...args).settings, { v: '3' }, args.join(' '));
  }
});

test('parseFlags uses the last value of a flag', () => {
  assert.deepEqual(parse('--size=1', '--size=2').settings, { size: '2' });
});

test('parseFlags returns positional arguments, and all arguments after --', () => {
  assert.deepEqual(parse('one', '--size=1', '-', '--', '--size=2').positional, ['one', '-', '--size=2']);
});

test('parseFlags rejects an unknown flag and suggests a similar one', () => {
  assert.throws(() => parse('--sise=3'), { message: 'unknown flag --sise (did you mean --size?)' });
  assert.throws(() => parse('--completely-different'), { message: 'unknown flag --completely-different' });
});

test('parseFlags rejects a flag without its value', () => {
  assert.throws(() => parse('--size'), { message: '--size needs a value: --size TEXT' });
});

test('the error for an invalid value names the flag', () => {
  assert.throws(() => parse('--size=bad'), { message: '--size: is bad' });
});

test('a boolean flag needs no value and does not consume the next argument', () => {
  const flags = [{ ...text('size'), isSwitch: true }, text('v')];
  assert.deepEqual(parseFlags(flags, ['--size', 'one']), {
    settings: { size: 'true' },
    positional: ['one'],
    warnings: [],
  });
  assert.deepEqual(parseFlags(flags, ['--size=false']).settings, { size: 'false' });
});

test('SPEC rule 6: a deprecated flag works and prints a warning with its replacement', () => {
  const old: Flag<Settings> = {
    ...text('size'),
    name: 'length',
    deprecated: { since: '1.33', advice: 'use --size instead' },
  };
  const { settings, warnings } = parseFlags([text('size'), old], ['--length=3']);
  assert.deepEqual(settings, { size: '3' });
  assert.deepEqual(warnings, ['Flag --length has been deprecated, use --size instead']);
  assert.deepEqual(parseFlags([text('size'), old], ['--size=3']).warnings, []);
});
