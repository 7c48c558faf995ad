import { Argument, type Command } from 'commander'
import { visibleGlobalOptions } from './connection/global-options.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

const HELP = `
Put it into the start file of the shell:
  bash  echo 'eval "$(salus completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(salus completion zsh)"' >> ~/.zshrc
  fish  salus completion fish > ~/.config/fish/completions/salus.fish`

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands in the shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: (typeof SHELLS)[number]) => {
      const nodes = walk(program, [])
      console.log(shell === 'fish' ? formatFish(nodes) : formatBash(nodes, shell))
    })
}

/** Words that can follow a command, by the words before them. */
interface Node {
  words: string[]
  commands: { name: string; description: string }[]
  options: { flag: string; description: string; choices: readonly string[] }[]
}

function walk(command: Command, words: string[]): Node[] {
  const options = [...command.options, ...visibleGlobalOptions(command)].map(
    ({ long, description, argChoices }) => ({
      flag: long ?? '',
      description,
      choices: argChoices ?? [],
    }),
  )
  const commands = command.commands.map((child) => ({
    name: child.name(),
    description: child.description(),
  }))
  const help = { flag: '--help', description: 'display help', choices: [] }
  const node = { words, commands, options: [...options, help] }
  return [node, ...command.commands.flatMap((child) => walk(child, [...words, child.name()]))]
}

/** zsh runs the same through its `bashcompinit`. */
function formatBash(nodes: readonly Node[], shell: 'bash' | 'zsh'): string {
  const paths = nodes.map(({ words }) => words.join(' ')).filter((path) => path !== '')
  const cases = nodes.map(({ words, commands, options }) => {
    const next = [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)]
    return `    '${words.join(' ')}') words='${next.join(' ')}' ;;`
  })
  const chosen = new Map(
    nodes.flatMap(({ options }) =>
      options
        .filter(({ choices }) => choices.length > 0)
        .map(({ flag, choices }) => [flag, choices.join(' ')]),
    ),
  )
  const values = [...chosen].map(([flag, choices]) => `    ${flag}) words='${choices}' ;;`)
  return `${shell === 'zsh' ? 'autoload -U bashcompinit && bashcompinit\n' : ''}_salus() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local path='' word words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "\${path:+$path }$word" in
      ${paths.map((path) => `'${path}'`).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$before" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _salus salus`
}

function formatFish(nodes: readonly Node[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = nodes.flatMap(({ words, commands, options }) => {
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`)
    const further = commands.map(({ name }) => name).join(' ')
    const isOpen =
      words.length === 0
        ? '__fish_use_subcommand'
        : [...seen, `not __fish_seen_subcommand_from ${further}`].join('; and ')
    const condition = words.length === 0 ? [] : ['-n', quote(seen.join('; and '))]
    return [
      ...commands.map(({ name, description }) =>
        ['complete -c salus -f -n', quote(isOpen), '-a', name, '-d', quote(description)].join(' '),
      ),
      ...options.map(({ flag, description, choices }) =>
        [
          ...['complete -c salus', ...condition, '-l', flag.slice(2), '-d', quote(description)],
          ...(choices.length === 0 ? [] : ['-x -a', quote(choices.join(' '))]),
        ].join(' '),
      ),
    ]
  })
  return lines.join('\n')
}
