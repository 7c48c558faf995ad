import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

const HELP = `
An erasure deletes rows. PostgreSQL, its write-ahead log and ClickHouse hold
deleted rows for a while in their files; this ends it, and waits for ClickHouse,
about ten minutes. Archives of the log, backups and snapshots are not reached.

With --full each table of PostgreSQL is rewritten, and whoever uses it waits.
Without it the room of deleted rows is freed, and overwritten by and by.

Examples:
  $ salus erasure clean-up
  $ salus erasure clean-up --full`

/** On the machine of the server, on its stores. */
export function addErasureCommands(program: Command): void {
  program
    .command('erasure')
    .description('what is left of erased people (on the machine of the server)')
    .command('clean-up')
    .description('end what the files of the stores still hold of deleted rows')
    .option('--full', 'rewrite all tables of PostgreSQL')
    .addHelpText('after', HELP)
    .action(({ full }: { full?: boolean }, command: Command) =>
      runServerProgram(command, 'erasure-clean-up.mjs', [full ? 'full' : '']),
    )
}
