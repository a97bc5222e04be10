// CEL regex library: find and findAll.
import type { CallCost } from '../cost/call-cost.ts';
import { matchingArguments, matchingCostRange, targetSize } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { compilePattern, MatchingBudget } from '../regex.ts';

/** Searching a string with a regular expression. */
const searching: CallCost = {
  estimate: (call, sizes) => {
    const size = targetSize(call, sizes);
    return { cost: matchingCostRange(size, call.argSizes[0]!), size: { min: 0, max: size.max } };
  },
  runtime: matchingArguments,
};

function pattern(text: string) {
  const compiled = compilePattern(text);
  return typeof compiled === 'string' ? fail(`Illegal regex: ${compiled}`) : compiled;
}

function find(text: string, regex: string): string {
  const compiled = pattern(regex);
  new MatchingBudget().charge(compiled, text.length);
  const matcher = compiled.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function findAll(text: string, regex: string, limit: number | bigint = -1): string[] {
  const compiled = pattern(regex);
  const matcher = compiled.matcher(text);
  const matching = new MatchingBudget();
  const found: string[] = [];
  for (let at = 0; limit < 0 || found.length < limit; at = matcher.end()) {
    // A short match may still need a scan of the whole text.
    matching.charge(compiled, text.length - at);
    if (!matcher.find()) break;
    found.push(matcher.group() ?? '');
  }
  return found;
}

export const finding: Library = new LibraryBuilder()
  .add('find', '.string_find_string', 'string, string -> string', searching, find)
  .add('findAll', '.string_find_all_string', 'string, string -> list(string)', searching, findAll)
  .add('findAll', '.string_find_all_string_int', 'string, string, int -> list(string)', searching, findAll)
  .library();
