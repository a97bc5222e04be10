// CEL expressions in the stages of pods, over the variable `pod`.
import type { Pod } from '../../apis/core/pod.ts';
import { type Cel, CelOnDemand } from '../../cel/on-demand.ts';
import { ConfigFileError } from '../../codec/yaml/file-fields.ts';
import type { Dialect } from '../../dialect/dialect.ts';

/** Compiles an expression. Throws ConfigFileError if it does not compile or is not boolean. */
export type ConditionCompiler = (expression: string, path: string) => (pod: Pod) => boolean;

export async function loadConditionCompiler(dialect: Dialect): Promise<ConditionCompiler> {
  const compiler = new CelOnDemand((cel) => compilerWith(cel, dialect));
  await compiler.load();
  return compiler.value;
}

function compilerWith(cel: Cel, dialect: Dialect): ConditionCompiler {
  const environment = cel
    .createEnvironment({ serviceName: dialect.name })
    .extend({ pod: { type: cel.types.dyn } });
  return (expression, path) => {
    const program = environment.compile(expression);
    if (program instanceof cel.Issues) throw new ConfigFileError(`${path}: ${program.text}`);
    if (program.type.kind !== 'bool' && program.type.kind !== 'any') {
      throw new ConfigFileError(`${path}: the result must be true or false`);
    }
    return (pod) => {
      // An expression that fails, as for a field that the pod lacks, does not match.
      const result = program.evaluate({ pod: asJson(pod) }, { costLimit: cel.costPerExpression });
      return 'value' in result && result.value === true;
    };
  };
}

/** Decoded objects have fields with the value undefined, which CEL would see. */
const asJson = (pod: Pod): unknown => JSON.parse(JSON.stringify(pod));
