import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

export function addKeyRecoverCommand(parent: Command): void {
  parent
    .command('recover')
    .description('create new keys if keys.json is lost (on the machine of the server)')
    // An operator without any key needs access to the database.
    .action((_options: object, command: Command) => runServerProgram(command, 'recover-keys.mjs'))
}
