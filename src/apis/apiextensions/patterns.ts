// Custom resource validation: compiles and matches the patterns (RE2) of one definition. Cheap patterns run inline, the
// others on a worker thread.
import type { RE2JS } from 're2js';
import type { CooperativeTask } from '../../base/cooperative-yield.ts';
import { compilePattern } from './compile-pattern.ts';
import type { CompiledRules } from './compiled-rules.ts';
import type { CostBudget } from './cost-budget.ts';
import type { ExtensionNames } from './json-schema.ts';
import { PatternThread } from './pattern-thread.ts';

/** The maximum number of distinct patterns in a definition: compiling one may take some milliseconds. */
const maxPatterns = 2_000;
/** Longer patterns are compiled on the worker thread, because they would block the event loop. */
const maxInlinePatternLength = 1_000;
/** Instructions of the compiled pattern times characters of the text. More expensive matches run on the worker thread. */
const maxInlineMatchCost = 250_000;
/** The maximum number of instructions in cached patterns; each takes some hundred bytes. */
const maxCachedInstructions = 50_000;
/** The budget steps of a request to the worker thread. */
const threadSteps = 50_000;
/** The budget steps of compiling a pattern. */
const compileSteps = 1_000;
/** The match cost that counts as one budget step. */
const matchCostPerStep = 50;

export class Patterns {
  /** RE2's error message by pattern; undefined for a valid one. */
  readonly #problems = new Map<string, string | undefined>();
  /** The compiled pattern, or RE2's error message. */
  readonly #compiled = new Map<string, RE2JS | string>();
  readonly #thread: PatternThread;
  #cachedInstructions = 0;

  constructor(thread = new PatternThread()) {
    this.#thread = thread;
  }

  /** RE2's error message for a pattern, or undefined if it is valid. */
  *problemOf(pattern: string, budget: CostBudget): CooperativeTask<string | undefined> {
    if (this.#problems.has(pattern)) return this.#problems.get(pattern);
    if (this.#problems.size >= maxPatterns) return `there are more than ${maxPatterns} different patterns`;
    const problem = yield* this.#compileProblem(pattern, budget);
    this.#problems.set(pattern, problem);
    return problem;
  }

  *#compileProblem(pattern: string, budget: CostBudget): CooperativeTask<string | undefined> {
    if (pattern.length > maxInlinePatternLength)
      return (yield* this.#matchOnThread(pattern, '', budget)).problem;
    const yielding = budget.spend(compileSteps);
    if (yielding) yield yielding;
    const compiled = compilePattern(pattern);
    return typeof compiled === 'string' ? compiled : undefined;
  }

  /** Whether the pattern matches anywhere in the text. An invalid pattern matches nothing. */
  *matches(pattern: string, text: string, budget: CostBudget): CooperativeTask<boolean> {
    if (pattern.length > maxInlinePatternLength)
      return (yield* this.#matchOnThread(pattern, text, budget)).isFound;
    const compiled = this.#compiled.get(pattern) ?? (yield* this.#compile(pattern, budget));
    if (typeof compiled === 'string') return false;
    const matchCost = compiled.programSize() * text.length;
    if (matchCost > maxInlineMatchCost) return (yield* this.#matchOnThread(pattern, text, budget)).isFound;
    const yielding = budget.spend(Math.ceil(matchCost / matchCostPerStep));
    if (yielding) yield yielding;
    return compiled.matcher(text).find();
  }

  *#compile(pattern: string, budget: CostBudget): CooperativeTask<RE2JS | string> {
    const yielding = budget.spend(compileSteps);
    if (yielding) yield yielding;
    const compiled = compilePattern(pattern);
    const size = typeof compiled === 'string' ? 1 : compiled.programSize();
    if (this.#cachedInstructions + size <= maxCachedInstructions) {
      this.#compiled.set(pattern, compiled);
      this.#cachedInstructions += size;
    }
    return compiled;
  }

  *#matchOnThread(
    pattern: string,
    text: string,
    budget: CostBudget,
  ): CooperativeTask<{ problem?: string; isFound: boolean }> {
    const yielding = budget.spend(threadSteps);
    if (yielding) yield yielding;
    let response: { problem?: string; isFound: boolean } = { isFound: false };
    yield this.#thread.match(pattern, text, budget.owner).then((received) => {
      response = received;
    });
    return response;
  }
}

/** The context of value validation: extension names and compiled patterns. */
export interface ValueValidationOptions extends ExtensionNames {
  readonly patterns: Patterns;
  /** Numbers are compared with the limits of the schema as exact decimals. */
  readonly exactNumbers: boolean;
}

/** The context of schema validation. */
export interface SchemaValidationOptions extends ValueValidationOptions {
  readonly rules: CompiledRules;
  /** The allowed formats of printer columns. */
  readonly columnFormats: readonly string[];
  /** Selectable fields are validated against the schema of their version, even if all versions share one schema. */
  readonly selectsPerVersion: boolean;
  /** The budget of validating the definition. */
  readonly budget: CostBudget;
}
