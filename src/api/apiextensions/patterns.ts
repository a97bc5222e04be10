import { RE2JS } from 're2js';
import type { CompiledRules } from './compiled-rules.ts';
import type { ExtensionNames } from './json-schema.ts';

/** A definition has no more patterns than this, each counted once: compiling one takes up to a millisecond. */
const maxPatterns = 2_000;

/** The regular expressions of one definition, each compiled once. */
export class Patterns {
  readonly #compiled = new Map<string, RE2JS | string>();

  /** What is wrong with a pattern, in the words of RE2; undefined when nothing. */
  problemOf(pattern: string): string | undefined {
    const compiled = this.#compile(pattern);
    return typeof compiled === 'string' ? compiled : undefined;
  }

  /** Whether a text matches somewhere. What cannot be compiled matches nothing. */
  matches(pattern: string, text: string): boolean {
    const compiled = this.#compile(pattern);
    return typeof compiled !== 'string' && compiled.matcher(text).find();
  }

  #compile(pattern: string): RE2JS | string {
    let compiled = this.#compiled.get(pattern);
    if (compiled === undefined) {
      if (this.#compiled.size >= maxPatterns) return `there are more than ${maxPatterns} different patterns`;
      compiled = compile(pattern);
      this.#compiled.set(pattern, compiled);
    }
    return compiled;
  }
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const { message } = error as Error;
    return message.endsWith('at end of expression') ? `${message}: \`\`` : message;
  }
}

/** What it takes to hold values against a schema: what the extensions are called, and compiled patterns. */
export interface ValueTerms extends ExtensionNames {
  readonly patterns: Patterns;
}

/** What the rules for schemas know beside the schema: what the extensions are called, and what patterns and rules compile to. */
export interface SchemaTerms extends ValueTerms {
  readonly rules: CompiledRules;
  /** What a printer column may hold. */
  readonly columnFormats: readonly string[];
}
