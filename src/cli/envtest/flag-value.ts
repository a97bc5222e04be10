/** The value of `--name=value` or `--name value` among the words of a command. */
export function flagValue(args: readonly string[], name: string): string | undefined {
  const flag = `--${name}`;
  const index = args.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  return args[index] === flag ? args[index + 1] : args[index]?.slice(flag.length + 1);
}
