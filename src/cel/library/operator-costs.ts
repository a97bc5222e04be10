// CEL cost model: the costs of operators and of the string functions of the standard library.
import type { CallCost, CallEstimate, EstimatedCall, SizeEstimator } from '../cost/call-cost.ts';
import {
  comparison,
  matchingArguments,
  matchingCostRange,
  nominal,
  sizeOf,
  targetSize,
  traversalCost,
  traversalCostRange,
} from '../cost/models.ts';
import { exactly, plus, type Range, times, union } from '../cost/range.ts';

/** `&&` and `||` may skip the right operand. */
export const shortCircuit: CallCost = {
  estimate: ({ argCosts }) => {
    const [left, right] = argCosts as [Range, Range];
    return { cost: { min: left.min, max: plus(left, right).max }, includesArguments: true };
  },
  runtime: nominal.runtime,
};

/** `?:` evaluates one of both results. */
export const conditional: CallCost = {
  estimate: ({ expr, argCosts, argSizes }, sizes) => {
    const [, yes, no] = expr.args.map((arg) => sizes.entriesOf(arg));
    if (yes && no)
      sizes.setEntries(expr, {
        kind: yes.kind,
        key: union(yes.key, no.key),
        value: union(yes.value, no.value),
      });
    return {
      cost: plus(argCosts[0]!, union(argCosts[1]!, argCosts[2]!)),
      size: union(argSizes[1]!, argSizes[2]!),
      includesArguments: true,
    };
  },
  runtime: nominal.runtime,
};

/** Values of the Kubernetes and network types count as one unit, except those that contain a string. */
export const equality: CallCost = {
  estimate: (call, sizes) => {
    const { expr } = call;
    const [type, rightType] = expr.args.map((arg) => sizes.typeOf(arg));
    if (!type || !rightType || !type.isExactly(rightType)) return comparison.estimate(call, sizes);
    switch (type.name) {
      case 'service.NamedFormat':
        return { cost: traversalCostRange({ min: 1, max: 64 }) };
      case 'service.URL': {
        const size = sizes.knownSize(expr.args[1]!) ?? exactly(1);
        return { cost: traversalCostRange({ min: 1, max: size.max }) };
      }
      default:
        return type.name.startsWith('service.') || type.name.startsWith('net.')
          ? { cost: exactly(1) }
          : comparison.estimate(call, sizes);
    }
  },
  runtime: comparison.runtime,
};

export const listMembership: CallCost = {
  estimate: ({ argSizes }) => ({ cost: argSizes[1]! }),
  runtime: (_, list) => sizeOf(list),
};

/** Returns the size of the result, and records the union of the entry sizes of both operands as its entry sizes. */
function estimateConcatenation(
  { expr, argSizes: [leftSize, rightSize] }: EstimatedCall,
  sizes: SizeEstimator,
): Range {
  const [left, right] = expr.args.map((arg) => sizes.entriesOf(arg));
  if (left && right)
    sizes.setEntries(expr, {
      kind: left.kind,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  return plus(leftSize!, rightSize!);
}

export const concatenation: CallCost = {
  estimate: (call, sizes): CallEstimate => {
    const size = estimateConcatenation(call, sizes);
    return { cost: traversalCostRange(size), size };
  },
  runtime: (a, b) => traversalCost(sizeOf(a) + sizeOf(b)),
};

export const listConcatenation: CallCost = {
  estimate: (call, sizes) => ({ cost: exactly(1), size: estimateConcatenation(call, sizes) }),
  runtime: nominal.runtime,
};

export const patternMatch: CallCost = {
  estimate: (call, sizes) => ({ cost: matchingCostRange(targetSize(call, sizes), call.argSizes[0]!) }),
  runtime: matchingArguments,
};

export const substringSearch: CallCost = {
  estimate: (call, sizes) => ({
    cost: times(traversalCostRange(targetSize(call, sizes)), traversalCostRange(call.argSizes[0]!)),
  }),
  runtime: (text, part) => traversalCost(sizeOf(text)) * traversalCost(sizeOf(part)),
};
