/** A good patch that does not fit the object. */
export class PatchMisfit extends Error {}

/** A patch that cannot be understood, in words for the client. */
export class BadPatch extends Error {}
