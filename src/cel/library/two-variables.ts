// CEL two-variable comprehensions extension.
import { nominal } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { twoVariableMacros } from '../macros.ts';

/** Macros with index or key, and value. The planner implements the functions that they call. */
export const twoVariableComprehensions: Library = new LibraryBuilder()
  .add('cel.@mapInsert', '@mapInsert_map_key_value', 'map(K, V), K, V -> map(K, V)', nominal)
  .add('cel.@mapInsert', '@mapInsert_map_map', 'map(K, V), map(K, V) -> map(K, V)', nominal)
  .library(twoVariableMacros);
