/** A good patch that does not fit the object. */
export class PatchMisfit extends Error {}

/** A patch that cannot be understood, in words for the client. */
export class BadPatch extends Error {}

/** A patch that the reference gives up on as if the fault were its own, in words for the client. */
export class PatchFailure extends Error {}
