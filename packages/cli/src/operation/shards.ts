import type { Command } from 'commander'
import { formatBytes } from '../terminal/number-format.ts'
import { wholeNumber } from '../terminal/option-values.ts'
import { createProgressDisplay, estimateSeconds } from '../terminal/progress-display.ts'
import { runServerProgram } from './server-program.ts'

const HELP = `
Shards are the servers of ClickHouse that CLICKHOUSE_CLUSTER names, numbered
from 1 in the order of remote_servers. The server may run, and answers
meanwhile as before. All servers of the cluster must answer. After an
interruption the same command continues.

Examples:
  $ salus shards list
  $ salus shards balance --speed 50
  $ salus shards move 1 3 --percent 20
  $ salus shards drain 2`

interface MoveOptions {
  speed?: number
  percent?: number
}

/** Adds commands that move people between the shards of a cluster, on the machine of the server. */
export function addShardsCommands(program: Command): void {
  const shards = program
    .command('shards')
    .description('move people between the shards of a ClickHouse cluster, while they are served')
    .addHelpText('after', HELP)
  shards
    .command('list')
    .description('show what each shard holds, and moves that are not complete')
    .action((_options: object, command: Command) => run(command, ['list', '']))
  withSpeed(shards.command('balance'))
    .description('move people until each shard has its share (CLICKHOUSE_SHARES, or the same)')
    .action(({ speed }: MoveOptions, command: Command) =>
      run(command, ['balance', String(speed ?? '')]),
    )
  withSpeed(shards.command('move'))
    .description('move some people of one shard to another')
    .argument('<from>', 'number of the shard')
    .argument('<to>', 'number of the other shard')
    .option('--percent <part>', 'part of the data of the first shard', wholeNumber(1, 100), 10)
    .action((from: string, to: string, { speed, percent }: MoveOptions, command: Command) =>
      run(command, ['move', String(speed ?? ''), from, to, String(percent)]),
    )
  withSpeed(shards.command('drain'))
    .description('move all people of a shard to the others')
    .argument('<shard>', 'number of the shard')
    .action((shard: string, { speed }: MoveOptions, command: Command) =>
      run(command, ['drain', String(speed ?? ''), shard]),
    )
}

const withSpeed = (command: Command): Command =>
  command.option(
    '--speed <megabytes>',
    'megabytes that are copied in a second at most; default: no limit',
    wholeNumber(1, 100_000),
  )

/** Progress message of the server's program: bytes. */
interface Step {
  what: string
  done: number
  total: number
}

async function run(command: Command, values: readonly string[]): Promise<void> {
  const display = createProgressDisplay('Shards', process.stderr)
  const startedAt = performance.now()
  await runServerProgram(command, 'shards.mjs', values, {
    // The data are elsewhere, so a machine without a data directory can run it.
    makesDirectory: true,
    onMessage(message) {
      // Lines follow that the bar must not overwrite.
      if (message === 'end') return display.clear()
      const { what, done, total } = message as Step
      const seconds = estimateSeconds(done, total, (performance.now() - startedAt) / 1000)
      const left = seconds === undefined ? '' : `, ${Math.ceil(seconds)} s left`
      display.show({ done, total, details: `${formatBytes(done)}${left}  ${what}` })
    },
  })
  display.clear()
}
