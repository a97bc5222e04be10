// CEL regex library: find and findAll.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import type { CallCost } from '../cost/call-cost.ts';
import { matchingArguments, matchingCostRange, targetSize } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { compilePattern, MatchingBudget } from '../regex.ts';

/** Searching a string with a regular expression. */
const searchCost: CallCost = {
  estimate: (call, sizes) => {
    const size = targetSize(call, sizes);
    return { cost: matchingCostRange(size, call.argSizes[0]!), size: { min: 0, max: size.max } };
  },
  runtime: matchingArguments,
};

function compileOrFail(text: string) {
  const compiled = compilePattern(text);
  return typeof compiled === 'string' ? fail(`Illegal regex: ${compiled}`) : compiled;
}

function find(text: string, regex: string): string {
  const compiled = compileOrFail(regex);
  new MatchingBudget().charge(compiled, text.length);
  const matcher = compiled.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** A negative limit means all matches. */
function findAll(text: string, regex: string, limit: number | bigint = -1): string[] {
  const compiled = compileOrFail(regex);
  const matcher = compiled.matcher(text);
  const budget = new MatchingBudget();
  const matches: string[] = [];
  for (let searchStart = 0; limit < 0 || matches.length < limit; searchStart = matcher.end()) {
    // A short match may still need a scan of the whole text.
    budget.charge(compiled, text.length - searchStart);
    if (!matcher.find()) break;
    matches.push(matcher.group() ?? '');
  }
  return matches;
}

export const finding: Library = new LibraryBuilder()
  .add('find', '.string_find_string', 'string, string -> string', searchCost, find)
  .add('findAll', '.string_find_all_string', 'string, string -> list(string)', searchCost, findAll)
  .add('findAll', '.string_find_all_string_int', 'string, string, int -> list(string)', searchCost, findAll)
  .library();
