import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

const PROGRAM = 'audit.mjs'

const VERIFY_HELP = `
It exits with 1 when a row was changed, removed or moved, and names the row. It
needs the SALUS_SECRET_KEY of the server, and compares the rows with the heads
that the server stores in the file store each hour. Keep the printed head in
another place, too: with --head the next check also covers the last hour.

Examples:
  $ salus audit verify
  $ salus audit verify --head 1042:5f0c…`

/**
 * Adds commands that read the database on the machine of the server: a compromised server could
 * return anything.
 */
export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('the audit log of all requests (on the machine of the server)')
  audit
    .command('verify')
    .description('check that the audit log was not changed, shortened or reordered')
    .option('--head <sequence:hash>', 'head that an earlier check printed, to compare the log with')
    .addHelpText('after', VERIFY_HELP)
    .action(({ head }: { head?: string }, command: Command) =>
      runServerProgram(command, PROGRAM, ['verify', head ?? '']),
    )
  audit
    .command('export')
    .description('print the audit log as JSON Lines, oldest first')
    .option('--user <id>', 'only entries about the data of this user')
    .option('--environment <id>', 'only entries of this environment of a team')
    .action(({ user, environment }: { user?: string; environment?: string }, command: Command) =>
      runServerProgram(command, PROGRAM, ['export', user ?? '', environment ?? '']),
    )
}
