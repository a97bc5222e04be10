// CEL bindings extension: cel.bind.
import type { Library } from '../declarations.ts';
import { bindMacro } from '../macros.ts';

/** `cel.bind(name, value, expression)`. */
export const bindings: Library = { functions: [], macros: [bindMacro] };
