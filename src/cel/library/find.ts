import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { compilePattern } from '../regex.ts';

function pattern(text: string) {
  const compiled = compilePattern(text);
  return typeof compiled === 'string' ? fail(`Illegal regex: ${compiled}`) : compiled;
}

function find(text: string, regex: string): string {
  const matcher = pattern(regex).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function findAll(text: string, regex: string, limit: number | bigint = -1): string[] {
  const matcher = pattern(regex).matcher(text);
  const found: string[] = [];
  while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

/** What regular expressions find in a text. */
export const finding: Library = new LibraryBuilder()
  .add('find', '.string_find_string', 'string, string -> string', find)
  .add('findAll', '.string_find_all_string', 'string, string -> list(string)', findAll)
  .add('findAll', '.string_find_all_string_int', 'string, string, int -> list(string)', findAll)
  .library();
