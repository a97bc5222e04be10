// CEL environment: the libraries and variables that an expression may use.
import type { Expr } from './ast.ts';
import { type CheckedExpr, type CheckerScope, type CheckResult, check } from './checker.ts';
import type { FunctionDeclaration, Library } from './declarations.ts';
import { EvaluationError } from './errors.ts';
import type { Macro } from './macros.ts';
import { parse } from './parser.ts';
import type { PlannerResolver } from './plan.ts';
import { Program } from './program.ts';
import { describeIssues, type Issue } from './source.ts';
import { type CelType, declaredTypes, qualifiedTypeName, typeOf } from './types.ts';
import { collectNodes, type Validator } from './validators.ts';
import { fromJson, type Value } from './values.ts';

export interface Variable {
  readonly type: CelType;
  /** Converts the host's value to a CEL value. Absent: JSON as it is. */
  readonly adapt?: (hostValue: unknown) => Value;
}

export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  readonly variables?: Readonly<Record<string, Variable>>;
  /** The namespace in which unqualified names are resolved first. */
  readonly container?: string;
  /** Whether numbers of different types can be compared: `1 < 1.0`. */
  readonly crossTypeNumericComparisons?: boolean;
  /** `a.?b`, `a[?b]`, `[?a]`, `{?k: v}`. */
  readonly optionalSyntax?: boolean;
  /** Whether fields can be selected by quoted names: a.`b-c`. */
  readonly escapedIdentifiers?: boolean;
  /** Whether fields can be selected by their escaped names: `.foo__dash__bar`. */
  readonly escapedFields?: boolean;
  /** Validate expressions after type checking. */
  readonly validators?: readonly Validator[];
  /** Replaces `service` in type names, so that messages contain `orch.Quantity`. */
  readonly serviceName?: string;
}

/** The compile errors of an expression; `compile` returns them instead of a program. */
export class Issues {
  readonly issues: readonly Issue[];
  /** All issues with their source lines and positions, as cel-go formats them. */
  readonly text: string;

  constructor(issues: readonly Issue[], text: string) {
    this.issues = issues;
    this.text = text;
  }
}

/** The declarations that an expression may refer to. Immutable. */
export class Environment implements CheckerScope, PlannerResolver {
  readonly container: string;
  readonly crossTypeNumericComparisons: boolean;
  readonly escapedFields: boolean;
  readonly #options: EnvironmentOptions;
  readonly #functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly #macros: readonly Macro[];
  readonly #variables: ReadonlyMap<string, Variable>;

  constructor(options: EnvironmentOptions, base?: Environment) {
    this.#options = options;
    this.container = options.container ?? '';
    this.crossTypeNumericComparisons = options.crossTypeNumericComparisons ?? false;
    this.escapedFields = options.escapedFields ?? false;
    // An extended environment shares the functions, which are many.
    this.#functions = base ? base.#functions : mergeFunctions(options.libraries);
    this.#macros = base ? base.#macros : options.libraries.flatMap(({ macros }) => macros ?? []);
    this.#variables = new Map(Object.entries(options.variables ?? {}));
  }

  /** The same environment with more variables. */
  extend(variables: Readonly<Record<string, Variable>>): Environment {
    return new Environment(
      { ...this.#options, variables: { ...this.#options.variables, ...variables } },
      this,
    );
  }

  /** Parses, checks and plans an expression. With `unchecked`, overloads are resolved at runtime. */
  compile(source: string, { unchecked = false }: { readonly unchecked?: boolean } = {}): Program | Issues {
    const parsed = parse(source, {
      macros: this.#macros,
      optionalSyntax: this.#options.optionalSyntax ?? false,
      escapedIdentifiers: this.#options.escapedIdentifiers ?? false,
    });
    if ('issues' in parsed) return this.#createIssues(source, parsed.issues);
    if (unchecked) return this.#createProgram(parsed.expr);
    const checked: CheckResult = check(parsed.expr, this);
    if ('issues' in checked) return this.#createIssues(source, checked.issues);
    const { validators = [] } = this.#options;
    const nodes = validators.length > 0 ? collectNodes(checked.expr) : [];
    const issues = validators.flatMap((validate) => validate(nodes, checked.types));
    if (issues.length > 0) return this.#createIssues(source, issues);
    return this.#createProgram(parsed.expr, checked);
  }

  #createProgram(expr: Expr, checked?: CheckedExpr): Program | Issues {
    try {
      return new Program(expr, this, checked);
    } catch (problem) {
      if (!(problem instanceof EvaluationError)) throw problem;
      const message = `program instantiation failed: ${problem.message}`;
      return new Issues([{ message, offset: -1 }], message);
    }
  }

  /** The name of a type in messages about a whole expression. */
  formatTypeName(type: CelType): string {
    return this.#withServiceName(qualifiedTypeName(type));
  }

  #createIssues(source: string, issues: readonly Issue[]): Issues {
    const renamed = issues.map((issue) => ({ ...issue, message: this.#withServiceName(issue.message) }));
    return new Issues(renamed, describeIssues(source, renamed));
  }

  #withServiceName(text: string): string {
    const name = this.#options.serviceName;
    return name === undefined ? text : text.replace(/\bservice\./g, `${name}.`);
  }

  variable(name: string): CelType | undefined {
    const variable = this.#variables.get(name);
    if (variable) return variable.type;
    const type = declaredTypes.get(name);
    return type && typeOf(type);
  }

  function(name: string): FunctionDeclaration | undefined {
    return this.#functions.get(name);
  }

  adaptor(name: string): ((hostValue: unknown) => Value) | undefined {
    const variable = this.#variables.get(name);
    return variable && (variable.adapt ?? fromJson);
  }

  findType(name: string): CelType | undefined {
    return declaredTypes.get(name);
  }
}

/**
 * Several libraries may add overloads to a function, such as `indexOf` of strings and lists. Of overloads with the
 * same id the last one counts.
 */
function mergeFunctions(libraries: readonly Library[]): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flatMap((library) => library.functions)) {
    const existing = functions.get(declaration.name);
    const replaced = new Set(declaration.overloads.map(({ id }) => id));
    const kept = existing?.overloads.filter(({ id }) => !replaced.has(id)) ?? [];
    functions.set(declaration.name, { ...declaration, overloads: [...kept, ...declaration.overloads] });
  }
  return functions;
}
