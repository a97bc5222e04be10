// CEL environment: the libraries and variables that an expression may use.
import type { Expr } from './ast.ts';
import { type Checked, type CheckResult, check, type Scope } from './checker.ts';
import type { FunctionDeclaration, Library } from './declarations.ts';
import { EvaluationProblem } from './errors.ts';
import type { Macro } from './macros.ts';
import { parse } from './parser.ts';
import type { Resolver } from './plan.ts';
import { Program } from './program.ts';
import { describeIssues, type Issue } from './source.ts';
import { type CelType, declaredTypes, fullName, typeOf } from './types.ts';
import { partsOf, type Validator } from './validators.ts';
import { fromJson, type Value } from './values.ts';

/** A variable that expressions may use. */
export interface Variable {
  readonly type: CelType;
  /** Converts the host's value to a CEL value. Absent: JSON as it is. */
  readonly adapt?: (given: unknown) => Value;
}

export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  readonly variables?: Readonly<Record<string, Variable>>;
  readonly container?: string;
  readonly crossTypeNumericComparisons?: boolean;
  readonly optionalSyntax?: boolean;
  readonly escapedIdentifiers?: boolean;
  /** Fields may be selected by their escaped names: `.foo__dash__bar`. */
  readonly escapedFields?: boolean;
  /** Looks at expressions that the checker finds right. */
  readonly validators?: readonly Validator[];
  /** Replaces `service` in type names: messages say `orch.Quantity`. */
  readonly serviceName?: string;
}

/** The compile errors of an expression. */
export class Issues {
  readonly list: readonly Issue[];
  /** All of them, with the places marked, as the reference writes it. */
  readonly text: string;

  constructor(list: readonly Issue[], text: string) {
    this.list = list;
    this.text = text;
  }
}

/** Everything that an expression may refer to. Never changes; `extend` makes another one. */
export class Environment implements Scope, Resolver {
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
    // Functions are many, and the same in all environments that extend one another.
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

  /** Parses, checks and compiles. With `unchecked`, types are found out while the expression runs. */
  compile(source: string, { unchecked = false }: { readonly unchecked?: boolean } = {}): Program | Issues {
    const parsed = parse(source, {
      macros: this.#macros,
      optionalSyntax: this.#options.optionalSyntax ?? false,
      escapedIdentifiers: this.#options.escapedIdentifiers ?? false,
    });
    if ('issues' in parsed) return this.#issues(source, parsed.issues);
    if (unchecked) return this.#program(parsed.expr);
    const checked: CheckResult = check(parsed.expr, this);
    if ('issues' in checked) return this.#issues(source, checked.issues);
    const { validators = [] } = this.#options;
    const parts = validators.length > 0 ? partsOf(checked.expr) : [];
    const found = validators.flatMap((validate) => validate(parts, checked.types));
    if (found.length > 0) return this.#issues(source, found);
    return this.#program(parsed.expr, checked);
  }

  #program(expr: Expr, checked?: Checked): Program | Issues {
    try {
      return new Program(expr, this, checked);
    } catch (problem) {
      if (!(problem instanceof EvaluationProblem)) throw problem;
      const message = `program instantiation failed: ${problem.message}`;
      return new Issues([{ message, offset: -1 }], message);
    }
  }

  /** A type as those messages have it that are about a whole expression. */
  nameOf(type: CelType): string {
    return this.#named(fullName(type));
  }

  #issues(source: string, issues: readonly Issue[]): Issues {
    const named = issues.map((issue) => ({ ...issue, message: this.#named(issue.message) }));
    return new Issues(named, describeIssues(source, named));
  }

  #named(text: string): string {
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

  adaptor(name: string): ((given: unknown) => Value) | undefined {
    const variable = this.#variables.get(name);
    return variable && (variable.adapt ?? fromJson);
  }

  typeNamed(name: string): CelType | undefined {
    return declaredTypes.get(name);
  }
}

/** Libraries may add overloads to the same function: `indexOf` is one of strings and of lists. The last of one id counts. */
function mergeFunctions(libraries: readonly Library[]): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flatMap((library) => library.functions)) {
    const known = functions.get(declaration.name);
    const replaced = new Set(declaration.overloads.map(({ id }) => id));
    const kept = known?.overloads.filter(({ id }) => !replaced.has(id)) ?? [];
    functions.set(declaration.name, { ...declaration, overloads: [...kept, ...declaration.overloads] });
  }
  return functions;
}
