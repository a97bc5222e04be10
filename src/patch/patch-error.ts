// Errors of patches.

/** A valid patch that does not apply to the object; the message is upstream's. */
export class PatchNotApplicable extends Error {}

/** A pointer traverses an absent value. */
export class NoSuchPath extends Error {}

/** The container at a pointer lacks its last reference token. */
export class NoSuchKey extends Error {}

/** An invalid patch (400); the message is for the client. */
export class InvalidPatch extends Error {}

/** A patch that upstream answers with an internal error (500); the message is for the client. */
export class InternalPatchError extends Error {}
