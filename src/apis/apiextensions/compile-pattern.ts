// Custom resource validation: compiles a pattern with RE2.
import { RE2JS } from 're2js';

/** The compiled pattern, or RE2's error message. */
export function compilePattern(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const { message } = error as Error;
    // Go's message also quotes the rest of the expression, which is empty here.
    return message.endsWith('at end of expression') ? `${message}: \`\`` : message;
  }
}
