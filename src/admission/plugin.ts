import type { AdmissionTarget } from '../registry/write/admission-control.ts';
import type { Attributes } from './attributes.ts';

/** One that has a say in writes. It throws the ApiError that the client is to read. */
export interface Plugin {
  /** As flags, metrics and errors call it. */
  readonly name: string;
  /**
   * Whether it may have something to say about writes of this sort, as things stand. The answer is kept until the plugin
   * says by `Admission.reconsider` that it may have become another one: a write that concerns nobody costs nothing.
   */
  concerns(sort: AdmissionTarget): boolean;
  /** Changes the object before anything else is looked at. It may be asked again with what others have made of it. */
  admit?(attributes: Attributes): void | Promise<void>;
  /** Looks at the object as it is to be stored: complete, and valid for its kind. */
  validate?(attributes: Attributes): void | Promise<void>;
  /** Forgets what it knows of the store, which has become another one. */
  reset?(): void;
  close?(): void | Promise<void>;
}
