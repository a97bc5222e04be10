// Custom resource validation: the compiled patterns of one definition.
import type { RE2JS } from 're2js';
import type { Work } from '../../base/cooperative-yield.ts';
import { compilePattern } from './compile-pattern.ts';
import type { CompiledRules } from './compiled-rules.ts';
import type { CostBudget } from './cost-budget.ts';
import type { ExtensionNames } from './json-schema.ts';
import { PatternThread } from './pattern-thread.ts';

/** A definition has no more patterns than this, each counted once: compiling one may take some milliseconds. */
const maxPatterns = 2_000;
/** A longer one takes too long to be compiled while others wait. */
const longestHere = 1_000;
/** Instructions of a compiled pattern times characters of a text: more take too long to be gone through while others wait. */
const mostHere = 250_000;
/** Instructions in all that are kept compiled; each takes some hundred bytes. */
const mostKept = 50_000;
/** The steps that a request to the thread counts for. */
const threadSteps = 50_000;
/** The steps that compiling a pattern counts for. */
const compileSteps = 1_000;
/** How much of matching counts for a step. */
const matchingPerStep = 50;

/** The regular expressions of one definition. */
export class Patterns {
  readonly #problems = new Map<string, string | undefined>();
  readonly #compiled = new Map<string, RE2JS | string>();
  readonly #thread: PatternThread;
  #kept = 0;

  constructor(thread = new PatternThread()) {
    this.#thread = thread;
  }

  /** RE2's error message for a pattern; undefined where it is valid. */
  *problemOf(pattern: string, effort: CostBudget): Work<string | undefined> {
    if (this.#problems.has(pattern)) return this.#problems.get(pattern);
    if (this.#problems.size >= maxPatterns) return `there are more than ${maxPatterns} different patterns`;
    const problem = yield* this.#find(pattern, effort);
    this.#problems.set(pattern, problem);
    return problem;
  }

  *#find(pattern: string, effort: CostBudget): Work<string | undefined> {
    if (pattern.length > longestHere) return (yield* this.#ask(pattern, '', effort)).problem;
    const turn = effort.spend(compileSteps);
    if (turn) yield turn;
    const compiled = compilePattern(pattern);
    return typeof compiled === 'string' ? compiled : undefined;
  }

  /** Whether a text matches somewhere. What cannot be compiled matches nothing. */
  *matches(pattern: string, text: string, effort: CostBudget): Work<boolean> {
    if (pattern.length > longestHere) return (yield* this.#ask(pattern, text, effort)).isFound;
    const compiled = this.#compiled.get(pattern) ?? (yield* this.#compile(pattern, effort));
    if (typeof compiled === 'string') return false;
    const matching = compiled.programSize() * text.length;
    if (matching > mostHere) return (yield* this.#ask(pattern, text, effort)).isFound;
    const turn = effort.spend(Math.ceil(matching / matchingPerStep));
    if (turn) yield turn;
    return compiled.matcher(text).find();
  }

  *#compile(pattern: string, effort: CostBudget): Work<RE2JS | string> {
    const turn = effort.spend(compileSteps);
    if (turn) yield turn;
    const compiled = compilePattern(pattern);
    const size = typeof compiled === 'string' ? 1 : compiled.programSize();
    if (this.#kept + size <= mostKept) {
      this.#compiled.set(pattern, compiled);
      this.#kept += size;
    }
    return compiled;
  }

  *#ask(pattern: string, text: string, effort: CostBudget): Work<{ problem?: string; isFound: boolean }> {
    const turn = effort.spend(threadSteps);
    if (turn) yield turn;
    let answer: { problem?: string; isFound: boolean } = { isFound: false };
    yield this.#thread.ask(pattern, text).then((answered) => {
      answer = answered;
    });
    return answer;
  }
}

/** The context of value validation: extension names and compiled patterns. */
export interface ValueValidationOptions extends ExtensionNames {
  readonly patterns: Patterns;
  /** Numbers are compared exactly with the limits of the schema. */
  readonly exactNumbers: boolean;
}

/** The context of schema validation. */
export interface SchemaValidationOptions extends ValueValidationOptions {
  readonly rules: CompiledRules;
  /** The allowed formats of printer columns. */
  readonly columnFormats: readonly string[];
  /** The selectable fields of a version go by its own schema, also where versions share one. */
  readonly selectsPerVersion: boolean;
  /** The budget of validating the definition. */
  readonly effort: CostBudget;
}
