import type { Command } from 'commander'
import { formatCount } from '../terminal/number-format.ts'
import {
  createProgressDisplay,
  estimateSeconds,
  type ProgressDisplay,
} from '../terminal/progress-display.ts'
import { runServerProgram } from './server-program.ts'

const HELP = `
The server is stopped, and the settings say where the data go: DATABASE_URL,
CLICKHOUSE_URL and SALUS_FILES_URL, or some of them. The targets are empty. What
was cut off goes on where it was when the command is given again. Everything is
compared when it is there; the data directory stays as it is.

Example:
  $ DATABASE_URL=postgres://… CLICKHOUSE_URL=http://… \\
    SALUS_FILES_URL=s3://… salus move --data-dir ./data`

/** How far the move of one store is. */
interface MoveProgress {
  store: 'postgres' | 'clickhouse' | 'files'
  /** Rows, or bytes of files. */
  done: number
  total: number
}

const TITLES = { postgres: 'PostgreSQL', clickhouse: 'ClickHouse', files: 'Files     ' }

/** On the machine of the server. */
export function addMoveCommand(program: Command): void {
  program
    .command('move')
    .description('copy a data directory into external stores (on the machine of the server)')
    .option('--only <stores>', 'postgres, clickhouse or files, comma-separated')
    .addHelpText('after', HELP)
    .action(async ({ only = '' }: { only?: string }, command: Command) => {
      const bars = new MoveBars()
      await runServerProgram(command, 'move.mjs', [only], {
        onMessage: (message) => bars.show(message as MoveProgress),
      })
      bars.clear()
    })
}

/**
 * One bar after the other, each gone when its store is complete: then the line of the result
 * follows.
 */
class MoveBars {
  #store: string | undefined
  #display: ProgressDisplay | undefined
  #startedAt = 0

  show({ store, done, total }: MoveProgress): void {
    if (store !== this.#store) {
      this.clear()
      this.#store = store
      this.#display = createProgressDisplay(TITLES[store], process.stderr)
      this.#startedAt = performance.now()
    }
    const seconds = estimateSeconds(done, total, (performance.now() - this.#startedAt) / 1000)
    const left = seconds === undefined ? '' : `, ${Math.ceil(seconds)} s left`
    const unit = store === 'files' ? 'bytes' : 'rows'
    this.#display?.show({ done, total, details: `${formatCount(done)} ${unit}${left}` })
    if (done >= total) this.clear()
  }

  clear(): void {
    this.#display?.clear()
    this.#display = undefined
  }
}
