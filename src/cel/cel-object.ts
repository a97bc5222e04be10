import type { CelType } from './types.ts';

/** A value that JSON has no form for. Whatever else is an object is a list or a map as JSON has them. */
export abstract class CelObject {
  abstract get type(): CelType;
  abstract equals(other: unknown): boolean;
}
