import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

const PROGRAM = 'audit.mjs'

const VERIFY_HELP = `
It ends with 1 when a row was changed, is missing, or stands in another
position, and says which. It needs SALUS_SECRET_KEY, where the server has it,
and holds the rows against the heads that the server keeps in the file store
each hour. Keep the head that it prints somewhere else too: with --head the
next check also shows what became of the last hour.

Examples:
  $ salus audit verify
  $ salus audit verify --head 1042:5f0c…`

/**
 * On the machine of the server, on its database: a server that was tampered with could say
 * anything.
 */
export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('who did what with whose data (on the machine of the server)')
  audit
    .command('verify')
    .description('check that nothing in the audit log was changed, removed or moved')
    .option('--head <sequence:hash>', 'what an earlier check printed, to hold the log against')
    .addHelpText('after', VERIFY_HELP)
    .action(({ head }: { head?: string }, command: Command) =>
      runServerProgram(command, PROGRAM, ['verify', head ?? '']),
    )
  audit
    .command('export')
    .description('print the audit log as JSON Lines, oldest first')
    .option('--user <id>', 'only what was done with the data of this user')
    .option('--environment <id>', 'only what was done in this environment of a team')
    .action(({ user, environment }: { user?: string; environment?: string }, command: Command) =>
      runServerProgram(command, PROGRAM, ['export', user ?? '', environment ?? '']),
    )
}
