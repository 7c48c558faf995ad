import type { Command } from 'commander'
import { formatBytes } from '../terminal/number-format.ts'
import { wholeNumber } from '../terminal/option-values.ts'
import { createProgressDisplay } from '../terminal/progress-display.ts'
import { runServerProgram } from './server-program.ts'

const WHERE = 'folder, or s3://bucket/prefix?region=…&endpoint=https://…'

const BACKUP_HELP = `
The server may run: the backup contains all data that were acknowledged before
one instant. It is encrypted with the secret key (SALUS_SECRET_KEY, or
secret.key in the data directory): keep a copy of that key in another place.

Examples:
  $ salus backup /srv/backups --keep 14
  $ salus backup verify /srv/backups
  $ salus backup list /srv/backups`

const RESTORE_HELP = `
The stores must be empty, and no server may use them: a new data directory that
contains only secret.key, or a new database. After an interruption the same
command continues.

Example:
  $ salus restore /srv/backups --data-dir ./data`

/**
 * Adds commands that work on the stores, for those who may read the data directory or have the
 * addresses of the stores.
 */
export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('copy both stores and the files, encrypted, while the server runs')
    .argument('<where>', WHERE)
    .option(
      '--keep <count>',
      'then remove all but this number of the newest',
      wholeNumber(1, 10_000),
    )
    .addHelpText('after', BACKUP_HELP)
    .action((where: string, { keep }: { keep?: number }, command: Command) =>
      run(command, 'Backup', ['take', where, String(keep ?? '')]),
    )
  backup
    .command('verify')
    .description('read a whole backup and compare it with its manifest')
    .argument('<where>', WHERE)
    .argument('[backup]', 'id of the backup; default: the newest')
    .action((where: string, id: string | undefined, _options: object, command: Command) =>
      run(command, 'Verify', ['verify', where, id ?? '']),
    )
  backup
    .command('list')
    .description('list the backups, oldest first')
    .argument('<where>', WHERE)
    .action((where: string, _options: object, command: Command) =>
      run(command, 'List', ['list', where]),
    )
  program
    .command('restore')
    .description('load a backup into empty stores while the server is stopped')
    .argument('<where>', WHERE)
    .option('--backup <name>', 'id of the backup; default: the newest')
    .addHelpText('after', RESTORE_HELP)
    .action((where: string, { backup: id }: { backup?: string }, command: Command) =>
      run(command, 'Restore', ['restore', where, id ?? '']),
    )
}

/** Progress message of the server's program. */
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
    // A restore creates the data directory that it fills; other commands report a missing one.
    makesDirectory: true,
    onMessage(message) {
      // Lines follow that the bar must not overwrite.
      if (message === 'end') return display.clear()
      const { what, done, total, bytes: more } = message as Step
      bytes += more
      display.show({ done, total, details: `${formatBytes(bytes)}  ${what}` })
    },
  })
  display.clear()
}
