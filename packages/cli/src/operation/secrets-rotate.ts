import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

const HELP = `
Before: SALUS_SECRET_KEY is the new key and the former one, separated by a
comma, here and for every server, and the servers were started again. After:
leave the former one out in an hour, when the last link token of it has ended.

Example:
  $ SALUS_SECRET_KEY="$NEW,$FORMER" salus secrets rotate`

/** On the machine of the server, on its database: no key is ever sent. */
export function addSecretCommands(program: Command): void {
  program
    .command('secrets')
    .description('what the database holds sealed (on the machine of the server)')
    .command('rotate')
    .description('seal everything with a new secret key')
    .addHelpText('after', HELP)
    .action((_options: object, command: Command) => runServerProgram(command, 'rotate-secrets.mjs'))
}
