import { readFileSync } from 'node:fs';

/** The names of the tests in a file: strings, and patterns for template literals. */
export const testsOf = (file: string) => namesIn(file, 'test');

/** The names of tests and groups. */
export const testsAndGroupsOf = (file: string) => namesIn(file, 'test|describe');

function namesIn(file: string, calls: string): (string | RegExp)[] {
  const named = new RegExp(`\\b(?:${calls})\\(\\s*(['"\`])((?:\\\\.|(?!\\1)[^\\\\])*)\\1`, 'g');
  return [...readFileSync(file, 'utf8').matchAll(named)].map(([, quote, text]) => {
    const name = text!.replace(/\\(.)/g, '$1');
    return quote === '`' && name.includes('${') ? pattern(name) : name;
  });
}

function pattern(template: string): RegExp {
  const parts = template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/);
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`);
}

export const matchesName = (name: string | RegExp, text: string) =>
  typeof name === 'string' ? name === text : name.test(text);
