// YAML scanner: anchors, aliases, tags and directives.
import { type Characters, isBlankOrEnd, isBreak, isBreakOrEnd, isWordCharacter } from './characters.ts';
import type { YamlToken } from './tokens.ts';
import { scannerError } from './yaml-error.ts';

/** The name after `&` or `*`. */
export function scanAnchor(characters: Characters): string {
  const start = characters.mark();
  characters.skip();
  const nameStart = characters.index;
  while (isWordCharacter(characters.peek())) characters.skip();
  const c = characters.peek();
  if (characters.index === nameStart || !(isBlankOrEnd(c) || '?:,]}%@`'.includes(String.fromCharCode(c)))) {
    throw scannerError('did not find expected alphabetic or numeric character', start, characters.mark());
  }
  return characters.text.slice(nameStart, characters.index);
}

/** `!`, `!name`, `!!name`, `!handle!name` or `!<uri>`. */
export function scanTag(characters: Characters, inFlow: boolean): Pick<YamlToken, 'value' | 'suffix'> {
  const start = characters.mark();
  const tagPattern = /!(?:<([^>\s]*)>|(?!<)([\w-]*!)?([^\s,[\]{}]*))/y;
  tagPattern.lastIndex = characters.index;
  const match = tagPattern.exec(characters.text);
  if (!match) throw scannerError("did not find the expected '>'", start, characters.mark());
  const [matched, verbatim, handle, suffix = ''] = match;
  characters.skip(matched.length);
  if (!isBlankOrEnd(characters.peek()) && !(inFlow && characters.peek() === 0x2c)) {
    throw scannerError('did not find expected whitespace or line break', start, characters.mark());
  }
  if (verbatim !== undefined) return { value: '', suffix: verbatim };
  return { value: handle === undefined ? '!' : `!${handle}`, suffix };
}

/** `%YAML 1.1` or `%TAG …`, to the end of the line. */
export function scanDirective(characters: Characters): Pick<YamlToken, 'value' | 'suffix'> {
  const start = characters.mark();
  characters.skip();
  const nameStart = characters.index;
  while (isWordCharacter(characters.peek())) characters.skip();
  const value = characters.text.slice(nameStart, characters.index);
  if (value === '') throw scannerError('could not find expected directive name', start, characters.mark());
  if (!isBlankOrEnd(characters.peek())) {
    throw scannerError('found unexpected non-alphabetical character', start, characters.mark());
  }
  if (value !== 'YAML' && value !== 'TAG') {
    throw scannerError('found unknown directive name', start, characters.mark());
  }
  const argumentsStart = characters.index;
  while (!isBreakOrEnd(characters.peek()) && characters.peek() !== 0x23) characters.skip();
  const suffix = characters.text.slice(argumentsStart, characters.index).trim();
  while (!isBreakOrEnd(characters.peek())) characters.skip();
  if (isBreak(characters.peek())) characters.takeBreak();
  return { value, suffix };
}
