// `orch completion`: prints a script that completes commands, actions, flags and their values in a shell.
import { type Command, CommandError } from './command.ts';
import { withDashes } from './flags.ts';

/** A command as the scripts need it. */
type Completed = Pick<Command, 'name' | 'about' | 'flags' | 'actions'>;

const shells: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash: bashScript,
  // The completion functions of bash run in zsh.
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

/** `commands` are all others. */
export const completion = (commands: readonly Completed[]): Command => ({
  name: 'completion',
  usage: Object.keys(shells).join('|'),
  about: 'print a script for completion in a shell',
  flags: [],
  help: () => [
    'Prints a script that completes commands, flags and values.',
    '',
    '  source <(orch completion bash)      in ~/.bashrc',
    '  source <(orch completion zsh)       in ~/.zshrc',
    '  orch completion fish | source       in ~/.config/fish/config.fish',
  ],
  async run([shell = '', ...rest], terminal) {
    const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
    if (!script || rest.length > 0) {
      throw new CommandError(`a shell is required: orch completion ${Object.keys(shells).join('|')}`);
    }
    terminal.out(script(commands).trimEnd());
    return 0;
  },
});

/** The values of a flag that accepts only some: its placeholder is `json|yaml`. */
function valuesOf({ placeholder }: { readonly placeholder: string }): string[] {
  return /^[\w-]+(\|[\w-]+)+$/.test(placeholder) ? placeholder.split('|') : [];
}

function bashScript(commands: readonly Completed[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const cases = commands.map(({ name, actions = {}, flags }) => {
    const words = [...Object.keys(actions), ...flags.map(withDashes), '--help'].join(' ');
    const values = flags
      .filter((flag) => valuesOf(flag).length > 0)
      .map((flag) => `${name}:${withDashes(flag)}) words="${valuesOf(flag).join(' ')}" ;;`);
    return [...values, `${name}:*) words="${words}" ;;`];
  });
  return `_orch() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${names} help"
  else
    case "\${COMP_WORDS[1]}:\${COMP_WORDS[COMP_CWORD-1]}" in
${cases
  .flat()
  .map((line) => `      ${line}`)
  .join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _orch orch
`;
}

function fishScript(commands: readonly Completed[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ name, about, actions = {}, flags }) => {
    const inCommand = `complete -c orch -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c orch -n __fish_use_subcommand -f -a ${name} -d ${quoted(about)}`,
      ...Object.keys(actions).map((action) => `${inCommand} -f -a ${action}`),
      ...flags.map((flag) => {
        const long = flag.name.length === 1 ? `-s ${flag.name}` : `-l ${flag.name}`;
        const short = flag.short === undefined ? '' : ` -s ${flag.short}`;
        const values = valuesOf(flag);
        let argument = ' -r';
        if (flag.isSwitch) argument = '';
        if (values.length > 0) argument = ` -x -a ${quoted(values.join(' '))}`;
        return `${inCommand} ${long}${short}${argument} -d ${quoted(flag.about)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}
