import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

const HELP = `
Before: SALUS_SECRET_KEY is the new key and the former one, separated by a
comma, here and for every server, and the servers were restarted. After: remove
the former one in an hour, when its last link token has expired.

Example:
  $ SALUS_SECRET_KEY="$NEW,$FORMER" salus secrets rotate`

/** Adds commands that work on the database, on the machine of the server: no key is sent. */
export function addSecretCommands(program: Command): void {
  program
    .command('secrets')
    .description('encrypted values of the database (on the machine of the server)')
    .command('rotate')
    .description('encrypt all values with a new secret key')
    .addHelpText('after', HELP)
    .action((_options: object, command: Command) => runServerProgram(command, 'rotate-secrets.mjs'))
}
