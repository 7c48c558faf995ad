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
  $ salus audit verify --head 3:1042:5f0c…`

const WHERE = 'folder, or s3://bucket/prefix?region=…&endpoint=https://…'

const ARCHIVE_HELP = `
It archives each row once; the next archive in the same place goes on behind it.
An archive is checked with SALUS_SECRET_KEY, or with secret.key in the data
directory.

Examples:
  $ salus audit archive /srv/audit --before 2026-01-01
  $ salus audit archive verify /srv/audit`

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
    .option('--head <heads>', 'heads that an earlier check printed, to compare the log with')
    .addHelpText('after', VERIFY_HELP)
    .action(({ head }: { head?: string }, command: Command) =>
      runServerProgram(command, PROGRAM, ['verify', head ?? '']),
    )
  const archive = audit
    .command('archive')
    .description('write older rows of the audit log into files, and check them')
    .argument('<where>', WHERE)
    .option('--before <date>', 'archive what ended before this date (required)')
    .addHelpText('after', ARCHIVE_HELP)
    .action((where: string, { before = '' }: { before?: string }, command: Command) =>
      runServerProgram(command, PROGRAM, ['archive', where, before]),
    )
  archive
    .command('verify')
    .description('check an archive; needs its files and the secret key, and no server')
    .argument('<where>', WHERE)
    .action((where: string, _options: object, command: Command) =>
      runServerProgram(command, PROGRAM, ['verify-archive', where]),
    )
  audit
    .command('export')
    .description('print the audit log as JSON Lines, each environment by itself, oldest first')
    .option('--user <id>', 'only entries about the data of this user')
    .option('--environment <id>', 'only entries of this environment of a team')
    .action(({ user, environment }: { user?: string; environment?: string }, command: Command) =>
      runServerProgram(command, PROGRAM, ['export', user ?? '', environment ?? '']),
    )
}
