// Errors of decoding and applying patches; decode-patch.ts maps them to API errors.

/** A well-formed JSON Patch that does not apply to the object (422); the message is that of evanphx/json-patch. */
export class PatchNotApplicable extends Error {}

/** A JSON Pointer goes through a value that the document does not have. */
export class NoSuchPath extends Error {}

/** The parent container lacks the key or index that a JSON Pointer ends in. */
export class NoSuchKey extends Error {}

/** An invalid strategic merge patch (400). The client sees the message. */
export class InvalidPatch extends Error {}

/** A strategic merge patch that kube-apiserver rejects with 500. The client sees the message. */
export class InternalPatchError extends Error {}
