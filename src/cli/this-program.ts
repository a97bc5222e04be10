/** The words that start this program: Node and its script, or a single executable. */
export function thisProgram(): [program: string, ...script: string[]] {
  const { execPath, argv } = process;
  const script = argv[1];
  return script === undefined || script === execPath ? [execPath] : [execPath, script];
}
