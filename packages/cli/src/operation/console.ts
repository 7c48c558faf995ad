import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

export function addConsoleCommand(program: Command): void {
  program
    .command('console')
    .description('print an address that opens the console signed in (on the machine of the server)')
    // A caller with access to the database needs no key. The address works for a quarter of an
    // hour.
    .action((_options: object, command: Command) => {
      const isGiven = command.getOptionValueSourceWithGlobals('url') !== 'default'
      const { url } = command.optsWithGlobals<{ url: string }>()
      return runServerProgram(command, 'open-console.mjs', isGiven ? [url] : [])
    })
}
