// CEL environments by Kubernetes version: the libraries that each version has.
import type { Library } from './declarations.ts';
import { Environment } from './environment.ts';
import { authorization, authorizationSelectors } from './library/authorizer.ts';
import { bindings } from './library/bindings.ts';
import { finding } from './library/find.ts';
import { lists } from './library/lists.ts';
import { namedFormats } from './library/named-formats.ts';
import { cidrs, ipAddresses } from './library/network.ts';
import { optionals } from './library/optionals.ts';
import { quantities } from './library/quantity.ts';
import { looseSemvers, semvers } from './library/semver.ts';
import { sets } from './library/sets.ts';
import { standard } from './library/standard.ts';
import { strings } from './library/strings.ts';
import { allMilliseconds } from './library/time.ts';
import { twoVariableComprehensions } from './library/two-variables.ts';
import { urls } from './library/url.ts';
import {
  formatStringArguments,
  homogeneousLiterals,
  literalValidators,
  type Validator,
} from './validators.ts';

/** The first Kubernetes minor version (33 of 1.33) that has a library, and the first one that has it no longer. */
interface LibraryAvailability {
  readonly library: Library;
  readonly since: number;
  readonly until?: number;
}

const libraryAvailability: readonly LibraryAvailability[] = [
  { library: standard, since: 0 },
  { library: allMilliseconds, since: 0 },
  { library: urls, since: 0 },
  { library: finding, since: 0 },
  { library: lists, since: 0 },
  { library: authorization, since: 27 },
  { library: optionals, since: 28 },
  { library: quantities, since: 28 },
  { library: strings(0), since: 0, until: 29 },
  { library: strings(2), since: 29 },
  { library: sets, since: 29 },
  { library: ipAddresses, since: 30 },
  { library: cidrs, since: 30 },
  { library: namedFormats, since: 31 },
  { library: authorizationSelectors, since: 31 },
  { library: twoVariableComprehensions, since: 32 },
  { library: semvers, since: 33 },
  { library: looseSemvers, since: 33 },
];

/** The runtime cost limit of one evaluation. */
export const costPerExpression = 1_000_000;

export interface VersionOptions {
  /** The minor version of the API: `compatibleMinor` for new expressions, absent (all libraries) for stored ones. */
  readonly minor?: number;
  /** The name of the dialect, which type names in messages start with. */
  readonly serviceName: string;
  /** Device selectors also have `cel.bind` and semver, in every version. */
  readonly forDevices?: boolean;
  /** Whether fields can be selected by their escaped names: `.foo__dash__bar`. */
  readonly escapedFields?: boolean;
}

const currentMinor = 33;
/** New expressions may only use libraries of the previous release, so that a rollback can still compile them. */
export const compatibleMinor = 32;

/** An environment without variables. */
export function createEnvironment({
  minor = currentMinor,
  serviceName,
  forDevices = false,
  escapedFields = false,
}: VersionOptions): Environment {
  const libraries = libraryAvailability
    .filter(({ since, until }) => minor >= since && (until === undefined || minor < until))
    .map(({ library }) => library);
  const validators: readonly Validator[] =
    minor >= 29 ? [...literalValidators, homogeneousLiterals, formatStringArguments] : [homogeneousLiterals];
  return new Environment({
    libraries: forDevices ? [...libraries, bindings, semvers] : libraries,
    crossTypeNumericComparisons: minor >= 28,
    optionalSyntax: minor >= 28,
    validators,
    serviceName,
    escapedFields,
  });
}
