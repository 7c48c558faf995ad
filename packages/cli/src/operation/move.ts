import type { Command } from 'commander'
import { formatCount } from '../terminal/number-format.ts'
import {
  createProgressDisplay,
  estimateSeconds,
  type ProgressDisplay,
} from '../terminal/progress-display.ts'
import { runServerProgram } from './server-program.ts'

const HELP = `
Stop the server first. The settings name the new stores: DATABASE_URL,
CLICKHOUSE_URL and SALUS_FILES_URL, or some of them. The targets must be empty.
After an interruption the same command continues. All data are compared at the
end; the data directory stays unchanged.

Example:
  $ DATABASE_URL=postgres://… CLICKHOUSE_URL=http://… \\
    SALUS_FILES_URL=s3://… salus move --data-dir ./data`

/** Progress of moving one store. */
interface MoveProgress {
  store: 'postgres' | 'clickhouse' | 'files'
  /** Rows, or bytes of files. */
  done: number
  total: number
}

const TITLES = { postgres: 'PostgreSQL', clickhouse: 'ClickHouse', files: 'Files     ' }

/** Adds the command that moves stores, on the machine of the server. */
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
 * Draws one bar after the other; each is removed when its store is complete and its result is
 * printed.
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
