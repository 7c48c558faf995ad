import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

const HELP = `
An erasure deletes rows. The files of PostgreSQL, of its write-ahead log and of
ClickHouse keep deleted rows for a while; this command removes them, and waits
for ClickHouse, about ten minutes. It does not reach archives of the log,
backups and snapshots.

With --full each table of PostgreSQL is rewritten, and its users wait meanwhile.
Without it the space of deleted rows is freed, and overwritten in time.

Examples:
  $ salus erasure clean-up
  $ salus erasure clean-up --full`

/** Adds commands that work on the stores, on the machine of the server. */
export function addErasureCommands(program: Command): void {
  program
    .command('erasure')
    .description('files of erased people (on the machine of the server)')
    .command('clean-up')
    .description('remove deleted rows from the files of the stores')
    .option('--full', 'rewrite all tables of PostgreSQL')
    .addHelpText('after', HELP)
    .action(({ full }: { full?: boolean }, command: Command) =>
      runServerProgram(command, 'erasure-clean-up.mjs', [full ? 'full' : '']),
    )
}
