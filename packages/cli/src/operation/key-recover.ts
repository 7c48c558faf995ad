import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

export function addKeyRecoverCommand(parent: Command): void {
  parent
    .command('recover')
    .description('make new keys when keys.json is lost, on the machine of the server')
    // Whoever lost every key can only turn to the database.
    .action((_options: object, command: Command) => runServerProgram(command, 'recover-keys.mjs'))
}
