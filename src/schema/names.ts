// Validation of names, labels and keys (upstream's apimachinery/pkg/util/validation). Every function returns the
// problems of a text, in upstream's words; an empty list means that it is valid.

/**
 * A rule for metadata.name. Returns the problems of a name, as they follow "Invalid value: " in a message. `prefix`:
 * the text is a generateName, to which a suffix will be appended.
 */
export type NameRule = (name: string, prefix?: boolean) => string[];

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const qualifiedPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValuePattern = `(${qualifiedPattern})?`;
const keyPattern = '[-._a-zA-Z0-9]+';

const label = fullMatch(labelPattern);
const subdomain = fullMatch(subdomainPattern);
const qualified = fullMatch(qualifiedPattern);
const labelValue = fullMatch(labelValuePattern);
const key = fullMatch(keyPattern);

function fullMatch(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

function patternProblem(rule: string, pattern: string, ...examples: string[]): string {
  const exampleList = examples
    .map((example, i) => (i === 0 ? `'${example}'` : ` or '${example}'`))
    .join(', ');
  return `${rule} (e.g. ${exampleList}, regex used for validation is '${pattern}')`;
}

/** Counts bytes although the message says characters: Go's `len` of a string. */
function lengthProblems(name: string, max: number): string[] {
  return Buffer.byteLength(name) > max ? [`must be no more than ${max} characters`] : [];
}

export function dnsSubdomain(name: string): string[] {
  const problems = lengthProblems(name, 253);
  if (!subdomain.test(name)) {
    problems.push(
      patternProblem(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        subdomainPattern,
        'example.com',
      ),
    );
  }
  return problems;
}

export function dnsLabel(name: string): string[] {
  const problems = lengthProblems(name, 63);
  if (label.test(name)) return problems;
  if (subdomain.test(name)) return [...problems, 'must not contain dots'];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...problems, patternProblem(rule, labelPattern, 'my-name', '123-abc')];
}

const startsWithLetterPattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const startsWithLetter = fullMatch(startsWithLetterPattern);

/** An RFC 1035 label, which starts with a letter: service names. */
export function dnsLabel1035(name: string): string[] {
  const problems = lengthProblems(name, 63);
  if (startsWithLetter.test(name)) return problems;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...problems, patternProblem(rule, startsWithLetterPattern, 'my-name', 'abc-123')];
}

const wildcardPattern = `\\*\\.${subdomainPattern}`;
const wildcard = fullMatch(wildcardPattern);

/** `*.example.com`. */
export function wildcardSubdomain(name: string): string[] {
  const problems = lengthProblems(name, 253);
  if (wildcard.test(name)) return problems;
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return [...problems, patternProblem(rule, wildcardPattern, '*.example.com')];
}

/** An IANA service name. */
export function portName(name: string): string[] {
  const problems = lengthProblems(name, 15);
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

export function portNumber(number: number): string[] {
  return number >= 1 && number <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}

/** A generateName may end with a dash. As upstream does, its last two characters are validated as an `a`. */
function replaceTrailingDash(name: string, prefix = false): string {
  return prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

export const nameIsSubdomain: NameRule = (name, prefix) => dnsSubdomain(replaceTrailingDash(name, prefix));
export const nameIsLabel1035: NameRule = (name, prefix) => dnsLabel1035(replaceTrailingDash(name, prefix));
export const nameIsLabel: NameRule = (name, prefix) => dnsLabel(replaceTrailingDash(name, prefix));

/** The minimum for every name: it can be a path segment. */
export const nameIsPathSegment: NameRule = (name, prefix) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((c) => name.includes(c)).map((c) => `may not contain '${c}'`);
};

const qualifiedRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** `name` or `example.com/name`. */
export function qualifiedName(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    const rule = patternProblem(`a qualified name ${qualifiedRule}`, qualifiedPattern, ...qualifiedExamples);
    return [`${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const name = parts.at(-1)!;
  if (parts.length === 2) {
    if (parts[0] === '') problems.push('prefix part must be non-empty');
    else problems.push(...dnsSubdomain(parts[0]!).map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...lengthProblems(name, 63).map((problem) => `name part ${problem}`));
  if (!qualified.test(name)) {
    problems.push(patternProblem(`name part ${qualifiedRule}`, qualifiedPattern, ...qualifiedExamples));
  }
  return problems;
}

const qualifiedExamples = ['MyName', 'my.name', '123-abc'];

export function validLabelValue(value: string): string[] {
  const problems = lengthProblems(value, 63);
  if (!labelValue.test(value)) {
    problems.push(
      patternProblem(
        `a valid label must be an empty string or ${qualifiedRule.replace('must ', '')}`,
        labelValuePattern,
        'MyValue',
        'my_value',
        '12345',
      ),
    );
  }
  return problems;
}

/** A key in the data of a ConfigMap or Secret, which may become a file name. */
export function dataKey(text: string): string[] {
  const problems = lengthProblems(text, 253);
  if (!key.test(text)) {
    problems.push(
      patternProblem(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        keyPattern,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  if (text === '.' || text === '..') problems.push(`must not be '${text}'`);
  else if (text.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}
