import type { Command } from 'commander'
import { formatBytes } from '../terminal/number-format.ts'
import { wholeNumber } from '../terminal/option-values.ts'
import { createProgressDisplay } from '../terminal/progress-display.ts'
import { runServerProgram } from './server-program.ts'

const WHERE = 'folder, or s3://bucket/prefix?region=…&endpoint=https://…'

const BACKUP_HELP = `
The server may run: the backup holds all that was acknowledged before one
instant. It is sealed with the secret key (SALUS_SECRET_KEY, or secret.key in
the data directory): keep a copy of that key somewhere else.

Examples:
  $ salus backup /srv/backups --keep 14
  $ salus backup verify /srv/backups
  $ salus backup list /srv/backups`

const RESTORE_HELP = `
The stores must be empty and no server may use them: a new data directory that
holds secret.key alone, or a new database. When it is interrupted, the same
command goes on.

Example:
  $ salus restore /srv/backups --data-dir ./data`

/**
 * On the machine of the server: whoever may read the data directory, or has the addresses of the
 * stores.
 */
export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('copy both stores and the files, sealed, while the server runs')
    .argument('<where>', WHERE)
    .option('--keep <count>', 'then remove all but so many of the newest', wholeNumber(1, 10_000))
    .addHelpText('after', BACKUP_HELP)
    .action((where: string, { keep }: { keep?: number }, command: Command) =>
      run(command, 'Backup', ['take', where, String(keep ?? '')]),
    )
  backup
    .command('verify')
    .description('read a backup to its last byte and compare it with its manifest')
    .argument('<where>', WHERE)
    .argument('[backup]', 'which one; the newest without it')
    .action((where: string, id: string | undefined, _options: object, command: Command) =>
      run(command, 'Verify', ['verify', where, id ?? '']),
    )
  backup
    .command('list')
    .description('print the backups, oldest first')
    .argument('<where>', WHERE)
    .action((where: string, _options: object, command: Command) =>
      run(command, 'List', ['list', where]),
    )
  program
    .command('restore')
    .description('load a backup into empty stores, with the server stopped')
    .argument('<where>', WHERE)
    .option('--backup <name>', 'which one; the newest without it')
    .addHelpText('after', RESTORE_HELP)
    .action((where: string, { backup: id }: { backup?: string }, command: Command) =>
      run(command, 'Restore', ['restore', where, id ?? '']),
    )
}

/** What the program of the server tells while it works. */
interface Step {
  what: string
  done: number
  total: number
  bytes: number
}

async function run(command: Command, title: string, values: readonly string[]): Promise<void> {
  const display = createProgressDisplay(title, process.stderr)
  let bytes = 0
  await runServerProgram(command, 'backup.mjs', values, {
    // A restore makes the one that it fills; the others say what they miss.
    makesDirectory: true,
    onMessage(message) {
      // The last one: lines follow that the bar must not write over.
      if (message === 'end') return display.clear()
      const { what, done, total, bytes: more } = message as Step
      bytes += more
      display.show({ done, total, details: `${formatBytes(bytes)}  ${what}` })
    },
  })
  display.clear()
}
