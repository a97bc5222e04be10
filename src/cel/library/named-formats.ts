// CEL format library: format.named and validate.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import { hasFormat } from '../../schema/formats/formats.ts';
import {
  nameIsLabel,
  nameIsLabel1035,
  nameIsSubdomain,
  qualifiedName,
  validLabelValue,
} from '../../schema/names.ts';
import type { CallCost } from '../cost/call-cost.ts';
import { matchingCost, nominal, perPatternCharacter, sizeOf, traversalCostRange } from '../cost/models.ts';
import { scaled } from '../cost/range.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { CelObject, type CelType, struct } from '../types.ts';
import { CelOptional } from '../values.ts';
import { parseUrl } from './url.ts';

const formatType = struct('service.NamedFormat');

type FormatProblems = (text: string) => readonly string[];

class FormatValue extends CelObject {
  readonly name: string;
  /** The approximate length of an equivalent regular expression, which determines the cost. */
  readonly patternSize: number;
  readonly problems: FormatProblems;

  constructor(name: string, patternSize: number, problems: FormatProblems) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.problems = problems;
  }

  override get type(): CelType {
    return formatType;
  }

  override equals(other: unknown): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

/** A format of OpenAPI schemas. */
const schemaFormat =
  (format: string, problem: string): FormatProblems =>
  (text) =>
    hasFormat(text, format) ? [] : [problem];

function uriProblems(text: string): readonly string[] {
  const parts = parseUrl(text);
  return 'problem' in parts ? [parts.problem] : [];
}

const formats = new Map(
  (
    [
      // Name, pattern size, and check. The second argument of the name checks: whether the text is a generateName prefix.
      ['dns1123Label', 30, (text) => nameIsLabel(text)],
      ['dns1123Subdomain', 60, (text) => nameIsSubdomain(text)],
      ['dns1035Label', 30, (text) => nameIsLabel1035(text)],
      ['qualifiedName', 60, qualifiedName],
      ['dns1123LabelPrefix', 30, (text) => nameIsLabel(text, true)],
      ['dns1123SubdomainPrefix', 60, (text) => nameIsSubdomain(text, true)],
      ['dns1035LabelPrefix', 30, (text) => nameIsLabel1035(text, true)],
      ['labelValue', 40, validLabelValue],
      ['uri', 1103, uriProblems],
      ['uuid', 70, schemaFormat('uuid', 'does not match the UUID format')],
      ['byte', 84, schemaFormat('byte', 'invalid base64')],
      ['date', 71, schemaFormat('date', 'invalid date')],
      ['datetime', 71, schemaFormat('datetime', 'invalid datetime')],
    ] as const satisfies readonly (readonly [string, number, FormatProblems])[]
  ).map(([name, size, problems]) => [name as string, new FormatValue(name, size, problems)]),
);

/** Estimates assume a pattern of this size for every format. */
const estimatedPatternSize = 128;

const formatValidationCost: CallCost = {
  estimate: ({ argSizes }) => ({
    cost: scaled(traversalCostRange(argSizes[0]!), estimatedPatternSize * perPatternCharacter),
  }),
  runtime: (format, text) =>
    matchingCost(sizeOf(text), (format as { patternSize?: number }).patternSize ?? 1),
};

function build(): Library {
  const builder = new LibraryBuilder(formatType)
    .add('format.named', 'format-named', 'string -> optional(NamedFormat)', nominal, (name: string) => {
      const format = formats.get(name);
      return format ? new CelOptional(format) : CelOptional.none;
    })
    .add(
      'validate',
      '.format-validate',
      'NamedFormat, string -> optional(list(string))',
      formatValidationCost,
      (format: FormatValue, text: string) => {
        const problems = format.problems(text);
        return problems.length === 0 ? CelOptional.none : new CelOptional(problems);
      },
    );
  for (const [name, format] of formats) {
    builder.add(`format.${name}`, `format.${name}`, '-> NamedFormat', nominal, () => format);
  }
  return builder.library();
}

export const namedFormats: Library = build();
