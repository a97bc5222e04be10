import type { Dialect } from '../../../dialect/dialect.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { type Evaluator, evaluatorFor } from './evaluator.ts';

/** The evaluators of resources, each made once. */
export class Evaluators {
  readonly #dialect: Dialect;
  readonly #known = new WeakMap<ServedResource, { readonly evaluator: Evaluator | undefined }>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  of({ stored }: ServedResource): Evaluator | undefined {
    let known = this.#known.get(stored);
    if (!known) {
      known = { evaluator: evaluatorFor(stored, this.#dialect) };
      this.#known.set(stored, known);
    }
    return known.evaluator;
  }
}
