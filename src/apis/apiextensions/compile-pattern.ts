// Custom resource validation: compiles a pattern with RE2.
import { RE2JS } from 're2js';

/** A pattern, or what is wrong with it in the words of RE2. */
export function compilePattern(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const { message } = error as Error;
    return message.endsWith('at end of expression') ? `${message}: \`\`` : message;
  }
}
