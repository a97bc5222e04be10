// An error in the setup of the checkout that the user has to fix; launch.mjs prints it in one line.
export class SetupError extends Error {}
