/** Something the user has to put right before anything can run; shown as one line. */
export class SetupError extends Error {}
