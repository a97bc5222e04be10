/** A good patch that does not fit the object, in the words of the reference. */
export class PatchMisfit extends Error {}

/** A pointer leads through something that is not there. */
export class NoSuchPath extends Error {}

/** What a pointer leads to does not have the last part of it. */
export class NoSuchPart extends Error {}

/** A patch that cannot be understood, in words for the client. */
export class BadPatch extends Error {}

/** A patch that the reference gives up on as if the fault were its own, in words for the client. */
export class PatchFailure extends Error {}
