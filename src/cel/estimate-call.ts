import type { Call, Expr } from './ast.ts';
import { type Estimator, exactly, plus, type Range, scaled, times, unbounded, union } from './estimate.ts';

export interface EstimatedCall {
  readonly expr: Call;
  readonly name: string;
  readonly overload: string;
  readonly target: Expr | undefined;
  readonly argCosts: readonly Range[];
  readonly argSizes: readonly Range[];
}

interface CallEstimate {
  readonly cost: Range;
  /** Of the result, where that can be said. */
  readonly size?: Range;
}

type Rule = (call: EstimatedCall, estimator: Estimator) => CallEstimate | undefined;

const perCharacter = 0.1;
const perPatternCharacter = 0.25;
/** About how long the patterns of named formats are. */
const formatPatternSize = 128;
/** Addresses are compared by their 4 or 16 bytes. */
const addressSize: Range = { min: 4, max: 16 };

const through = (size: Range) => scaled(size, perCharacter);
const targetSize = ({ target, argSizes }: EstimatedCall, estimator: Estimator) =>
  target ? estimator.size(target) : (argSizes[0] ?? exactly(1));

const nominal: Rule = () => ({ cost: exactly(1) });
const throughFirstArgument: Rule = ({ argSizes }) => ({ cost: through(argSizes[0]!) });
const throughTarget: Rule = (call, estimator) => {
  const size = targetSize(call, estimator);
  return { cost: through(size), size };
};

function matching(text: Range, pattern: Range): Range {
  return times(through(plus(text, exactly(1))), scaled(pattern, perPatternCharacter));
}

const finding: Rule = (call, estimator) => {
  const size = targetSize(call, estimator);
  return { cost: matching(size, call.argSizes[0]!), size: { min: 0, max: size.max } };
};

const listWork: Rule = (call, estimator) => {
  const { target } = call;
  if (!target) return undefined;
  const size = estimator.size(target);
  const element = estimator.typeOf(target).params[0];
  if (!element) return { cost: through(size) };
  const isLong = element.kind === 'string' || element.kind === 'bytes';
  const each = isLong ? plus(exactly(1), through(estimator.sizeBelow(target, '@items'))) : exactly(1);
  return { cost: times(size, each) };
};

const selectorParsing: Rule = ({ argSizes }) => {
  const requirements = scaled(argSizes[0]!, 0.5);
  return { cost: plus(plus(exactly(10), through(argSizes[0]!)), scaled(requirements, 50)) };
};

/** How long the result of `replace` may be: the most with many long replacements, the least with many short ones. */
const replacing: Rule = (call, estimator) => {
  const text = targetSize(call, estimator);
  const [from, to] = call.argSizes as [Range, Range];
  let count = { min: 0, max: 0 };
  let kept = { min: 0, max: 0 };
  if (from.min === 0) {
    count = { ...count, max: Math.min(text.max + 1, unbounded) };
    kept = { ...kept, max: text.max };
  } else if (to.max <= from.min) kept = { ...kept, max: text.max };
  else count = { ...count, max: Math.ceil(text.max / from.min) };
  if (from.max === 0) {
    count = { ...count, min: text.min + 1 };
    kept = { ...kept, min: text.min };
  } else if (from.max <= to.min) kept = { ...kept, min: text.min };
  else count = { ...count, min: Math.ceil(text.min / from.max) };
  return { cost: scaled(text, 2 * perCharacter), size: plus(times(count, to), kept) };
};

const splitting: Rule = (call, estimator) => {
  const text = targetSize(call, estimator);
  const limit = call.expr.args[1];
  const max =
    limit?.node === 'literal' && limit.literal.kind === 'int'
      ? Number(BigInt.asUintN(64, limit.literal.value))
      : text.max;
  return { cost: scaled(text, 2 * perCharacter), size: { min: 0, max } };
};

const joining: Rule = ({ target, argSizes }, estimator) => {
  if (!target) return undefined;
  const list = estimator.size(target);
  let size = times(list, estimator.sizeBelow(target, '@items'));
  if (argSizes[0]) {
    const separators = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
    size = plus(size, times(argSizes[0], separators));
  }
  return { cost: through(size), size };
};

const containsAddress: Rule = ({ overload, argSizes }) => {
  const cost = through(plus(addressSize, addressSize));
  return { cost: overload === 'cidr_contains_ip_string' ? plus(cost, through(argSizes[0]!)) : cost };
};

const containsRange: Rule = ({ overload, argSizes }) => {
  const cost = plus(plus(through(plus(addressSize, addressSize)), through(addressSize)), exactly(1));
  return { cost: overload === 'cidr_contains_cidr_string' ? plus(cost, through(argSizes[0]!)) : cost };
};

/** Values of the service's own types are compared at one go, but for those that are text inside. */
const equality: Rule = ({ expr }, estimator) => {
  const [one, other] = expr.args.map((arg) => estimator.typeOf(arg));
  if (!one || !other || !one.isExactly(other)) return undefined;
  switch (one.name) {
    case 'service.NamedFormat':
      return { cost: through({ min: 1, max: 64 }) };
    case 'service.URL': {
      const size = estimator.knownSize(expr.args[1]!) ?? exactly(1);
      return { cost: through({ min: 1, max: size.max }) };
    }
    default:
      return one.name.startsWith('service.') || one.name.startsWith('net.')
        ? { cost: exactly(1) }
        : undefined;
  }
};

function sameFor(names: string, rule: Rule): Record<string, Rule> {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]));
}

/** Each element of one list is looked for in the other. */
function pairing(factor: number): Rule {
  return ({ argSizes: [one, other] }) => ({
    cost: plus(exactly(1), times(times(one!, other!), exactly(factor))),
  });
}

/** What the service's own functions cost beside their arguments. */
const byFunction: Readonly<Record<string, Rule>> = {
  check: () => ({ cost: exactly(350_000) }),
  ...sameFor(
    'serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery',
    nominal,
  ),
  ...sameFor('fieldSelector labelSelector', selectorParsing),
  ...sameFor('isSorted sum max min indexOf lastIndexOf', listWork),
  url: ({ argSizes }) => ({ cost: through(argSizes[0]!), size: argSizes[0]! }),
  ...sameFor('lowerAscii upperAscii substring trim', throughTarget),
  replace: replacing,
  split: splitting,
  join: joining,
  ...sameFor('find findAll', finding),
  ...sameFor('cidr isIP isCIDR quantity isQuantity semver isSemver', throughFirstArgument),
  ip: ({ overload, argSizes }) => ({ cost: overload === 'cidr_ip' ? exactly(1) : through(argSizes[0]!) }),
  'ip.isCanonical': ({ argSizes }) => ({ cost: scaled(argSizes[0]!, 2 * perCharacter) }),
  containsIP: containsAddress,
  containsCIDR: containsRange,
  validate: ({ argSizes }) => ({
    cost: scaled(through(argSizes[0]!), formatPatternSize * perPatternCharacter),
  }),
  '_==_': equality,
  ...sameFor('sets.contains sets.intersects', pairing(1)),
  'sets.equivalent': pairing(2),
};

const comparing: Rule = ({ argSizes: [one, other] }) => {
  const max = Math.min(one!.max, other!.max);
  return { cost: through({ min: max > 0 ? 1 : 0, max }) };
};

const concatenating: Rule = ({ expr, overload, argSizes: [one, other] }, estimator) => {
  const size = plus(one!, other!);
  const [left, right] = expr.args.map((arg) => estimator.entriesOf(arg));
  if (left && right)
    estimator.setEntries(expr, {
      kind: left.kind,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  return { cost: overload === 'add_list' ? exactly(1) : through(size), size };
};

/** What the language's own functions cost beside their arguments. */
const byOverload: Readonly<Record<string, Rule>> = {
  string_format: (call, estimator) => ({ cost: through(targetSize(call, estimator)) }),
  string_to_bytes: ({ argSizes: [size] }) => ({
    cost: through(size!),
    size: { min: size!.min, max: size!.max * 4 },
  }),
  bytes_to_string: ({ argSizes: [size] }) => ({
    cost: through(size!),
    size: { min: Math.floor(size!.min / 4), max: size!.max },
  }),
  strings_quote: ({ argSizes: [size] }) => ({
    cost: through(size!),
    size: { min: size!.min + 2, max: size!.max * 2 + 2 },
  }),
  ...sameFor('starts_with_string ends_with_string', throughFirstArgument),
  in_list: ({ argSizes }) => ({ cost: argSizes[1]! }),
  matches_string: (call, estimator) => ({ cost: matching(targetSize(call, estimator), call.argSizes[0]!) }),
  contains_string: (call, estimator) => ({
    cost: times(through(targetSize(call, estimator)), through(call.argSizes[0]!)),
  }),
  ...sameFor('add_string add_bytes add_list', concatenating),
  ...sameFor(
    'less_string greater_string less_equals_string greater_equals_string less_bytes greater_bytes less_equals_bytes greater_equals_bytes equals not_equals',
    comparing,
  ),
};

export function estimateCall(call: EstimatedCall, estimator: Estimator): CallEstimate {
  const { name, overload, argCosts, argSizes, expr } = call;
  if (overload === 'logical_and' || overload === 'logical_or') {
    const [left, right] = argCosts as [Range, Range];
    return { cost: { min: left.min, max: plus(left, right).max } };
  }
  if (overload === 'conditional') {
    const [, yes, no] = expr.args.map((arg) => estimator.entriesOf(arg));
    if (yes && no)
      estimator.setEntries(expr, {
        kind: yes.kind,
        key: union(yes.key, no.key),
        value: union(yes.value, no.value),
      });
    return {
      cost: plus(argCosts[0]!, union(argCosts[1]!, argCosts[2]!)),
      size: union(argSizes[1]!, argSizes[2]!),
    };
  }
  const rule = byFunction[name];
  const own = rule?.(call, estimator) ?? byOverload[overload]?.(call, estimator) ?? { cost: exactly(1) };
  return { ...own, cost: argCosts.reduce(plus, own.cost) };
}
