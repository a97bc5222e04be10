// CEL semver library of Kubernetes: parses and compares semantic versions such as `semver('1.2.3')`.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import { nominal, traversesArgument } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { CelObject, type CelType, struct } from '../types.ts';
import { toInt } from '../values.ts';

const semverType = struct('service.Semver');

class SemverValue extends CelObject {
  /** Major, minor, patch. */
  readonly numbers: readonly [bigint, bigint, bigint];
  /** The prerelease identifiers after `-`; numeric ones are compared as numbers. */
  readonly prerelease: readonly (string | bigint)[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly (string | bigint)[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  override get type(): CelType {
    return semverType;
  }

  override equals(other: unknown): boolean {
    return other instanceof SemverValue && compareVersions(this, other) === 0;
  }
}

type Problem = { readonly problem: string };

function parseNumber(text: string, component: string): bigint | Problem {
  if (!/^[0-9]+$/.test(text)) {
    return {
      problem: `Invalid character(s) found in ${component.toLowerCase()} number ${JSON.stringify(text)}`,
    };
  }
  if (text.length > 1 && text.startsWith('0'))
    return { problem: `${component} number must not contain leading zeroes ${JSON.stringify(text)}` };
  const value = BigInt(text);
  if (value > 2n ** 64n - 1n)
    return { problem: `strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range` };
  return value;
}

function parsePrerelease(text: string): string | bigint | Problem {
  if (text === '') return { problem: 'Prerelease is empty' };
  if (!/^[0-9]+$/.test(text)) {
    return /^[0-9A-Za-z-]+$/.test(text)
      ? text
      : { problem: `Invalid character(s) found in prerelease ${JSON.stringify(text)}` };
  }
  if (text.length > 1 && text.startsWith('0'))
    return { problem: `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(text)}` };
  return BigInt(text);
}

function parseVersion(text: string): SemverValue | Problem {
  if (text === '') return { problem: 'Version string empty' };
  const [majorText = '', minorText, ...patchParts] = text.split('.');
  if (minorText === undefined || patchParts.length === 0)
    return { problem: 'No Major.Minor.Patch elements found' };
  const major = parseNumber(majorText, 'Major');
  if (typeof major !== 'bigint') return major;
  const minor = parseNumber(minorText, 'Minor');
  if (typeof minor !== 'bigint') return minor;
  // The patch number, `-` and prerelease identifiers, `+` and build metadata.
  const [withoutBuild = '', ...buildParts] = patchParts.join('.').split('+');
  const dash = withoutBuild.indexOf('-');
  const patch = parseNumber(dash < 0 ? withoutBuild : withoutBuild.slice(0, dash), 'Patch');
  if (typeof patch !== 'bigint') return patch;
  const prereleaseTexts = dash < 0 ? [] : withoutBuild.slice(dash + 1).split('.');
  const prerelease: (string | bigint)[] = [];
  for (const identifierText of prereleaseTexts) {
    const identifier = parsePrerelease(identifierText);
    if (typeof identifier === 'object') return identifier;
    prerelease.push(identifier);
  }
  const problem = buildParts.length > 0 ? buildMetadataProblem(buildParts.join('+')) : undefined;
  return problem === undefined ? new SemverValue([major, minor, patch], prerelease) : { problem };
}

function buildMetadataProblem(metadata: string): string | undefined {
  for (const identifier of metadata.split('.')) {
    if (identifier === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(identifier))
      return `Invalid character(s) found in build meta data ${JSON.stringify(identifier)}`;
  }
  return undefined;
}

/** Normalizes `v1.2` to `1.2.0`: removes the v and leading zeros, and adds missing numbers. */
function normalizeVersion(text: string): string | Problem {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [
    major,
    ...(minor === undefined ? [] : [minor]),
    ...(rest.length > 0 ? [rest.join('.')] : []),
  ].map((part) => {
    if (part.length <= 1) return part;
    const trimmed = part.replace(/^0+/, '');
    return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
  });
  if (parts.length < 3) {
    if (/[+-]/.test(parts.at(-1)!))
      return { problem: 'short version cannot contain PreRelease/Build meta data' };
    while (parts.length < 3) parts.push('0');
  }
  return parts.join('.');
}

function parseSemver(text: string, normalize: boolean): SemverValue | Problem {
  const version = normalize ? normalizeVersion(text) : text;
  return typeof version === 'string' ? parseVersion(version) : version;
}

export function parseSemverOrFail(text: string, normalize = false): SemverValue {
  const version = parseSemver(text, normalize);
  return 'problem' in version ? fail(version.problem) : version;
}

const isSemver = (text: string, normalize = false) => !('problem' in parseSemver(text, normalize));

/** Precedence by semver.org: numeric identifiers are lower than others, and a prerelease is lower than its release. */
function compareVersions(left: SemverValue, right: SemverValue): number {
  for (let i = 0; i < 3; i++) {
    if (left.numbers[i]! !== right.numbers[i]!) return left.numbers[i]! > right.numbers[i]! ? 1 : -1;
  }
  if (left.prerelease.length === 0 || right.prerelease.length === 0) {
    return Math.sign(right.prerelease.length - left.prerelease.length);
  }
  for (let i = 0; i < Math.min(left.prerelease.length, right.prerelease.length); i++) {
    const [a, b] = [left.prerelease[i]!, right.prerelease[i]!];
    if (a === b) continue;
    if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
    return a > b ? 1 : -1;
  }
  return Math.sign(left.prerelease.length - right.prerelease.length);
}

export const semvers: Library = new LibraryBuilder(semverType)
  .add('semver', 'string_to_semver', 'string -> Semver', traversesArgument, (text: string) =>
    parseSemverOrFail(text),
  )
  .add('isSemver', 'is_semver_string', 'string -> bool', traversesArgument, (text: string) => isSemver(text))
  .add(
    'isGreaterThan',
    '.semver_is_greater_than',
    'Semver, Semver -> bool',
    nominal,
    (left: SemverValue, right: SemverValue) => compareVersions(left, right) > 0,
  )
  .add(
    'isLessThan',
    '.semver_is_less_than',
    'Semver, Semver -> bool',
    nominal,
    (left: SemverValue, right: SemverValue) => compareVersions(left, right) < 0,
  )
  .add('compareTo', '.semver_compare_to', 'Semver, Semver -> int', nominal, compareVersions)
  .add('major', '.semver_major', 'Semver -> int', nominal, ({ numbers }: SemverValue) => toInt(numbers[0]))
  .add('minor', '.semver_minor', 'Semver -> int', nominal, ({ numbers }: SemverValue) => toInt(numbers[1]))
  .add('patch', '.semver_patch', 'Semver -> int', nominal, ({ numbers }: SemverValue) => toInt(numbers[2]))
  .library();

/** Functions with a parameter to normalize versions such as `v1.2`. */
export const looseSemvers: Library = new LibraryBuilder(semverType)
  .add('semver', 'string_bool_to_semver', 'string, bool -> Semver', traversesArgument, parseSemverOrFail)
  .add('isSemver', 'is_semver_string_bool', 'string, bool -> bool', traversesArgument, isSemver)
  .library();
