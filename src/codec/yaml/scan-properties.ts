// YAML scanner: anchors, aliases, tags and directives.
import { type Characters, isBlankOrEnd, isBreak, isBreakOrEnd, isWord } from './characters.ts';
import type { YamlToken } from './tokens.ts';
import { scanError } from './yaml-error.ts';

/** The name after `&` or `*`. */
export function scanAnchor(characters: Characters): string {
  const start = characters.mark();
  characters.skip();
  const from = characters.index;
  while (isWord(characters.at())) characters.skip();
  const c = characters.at();
  if (characters.index === from || !(isBlankOrEnd(c) || '?:,]}%@`'.includes(String.fromCharCode(c)))) {
    throw scanError('did not find expected alphabetic or numeric character', start, characters.mark());
  }
  return characters.text.slice(from, characters.index);
}

/** `!`, `!name`, `!!name`, `!handle!name` or `!<uri>`. */
export function scanTag(characters: Characters, inFlow: boolean): Pick<YamlToken, 'value' | 'suffix'> {
  const start = characters.mark();
  const tag = /!(?:<([^>\s]*)>|(?!<)([\w-]*!)?([^\s,[\]{}]*))/y;
  tag.lastIndex = characters.index;
  const found = tag.exec(characters.text);
  if (!found) throw scanError("did not find the expected '>'", start, characters.mark());
  const [whole, verbatim, handle, suffix = ''] = found;
  characters.skip(whole.length);
  if (!isBlankOrEnd(characters.at()) && !(inFlow && characters.at() === 0x2c)) {
    throw scanError('did not find expected whitespace or line break', start, characters.mark());
  }
  if (verbatim !== undefined) return { value: '', suffix: verbatim };
  return { value: handle === undefined ? '!' : `!${handle}`, suffix };
}

/** `%YAML 1.1` or `%TAG …`, to the end of the line. */
export function scanDirective(characters: Characters): Pick<YamlToken, 'value' | 'suffix'> {
  const start = characters.mark();
  characters.skip();
  const from = characters.index;
  while (isWord(characters.at())) characters.skip();
  const value = characters.text.slice(from, characters.index);
  if (value === '') throw scanError('could not find expected directive name', start, characters.mark());
  if (!isBlankOrEnd(characters.at())) {
    throw scanError('found unexpected non-alphabetical character', start, characters.mark());
  }
  if (value !== 'YAML' && value !== 'TAG') {
    throw scanError('found unknown directive name', start, characters.mark());
  }
  const argumentsAt = characters.index;
  while (!isBreakOrEnd(characters.at()) && characters.at() !== 0x23) characters.skip();
  const suffix = characters.text.slice(argumentsAt, characters.index).trim();
  while (!isBreakOrEnd(characters.at())) characters.skip();
  if (isBreak(characters.at())) characters.takeBreak();
  return { value, suffix };
}
