import type { Command } from 'commander'
import { runServerProgram } from './server-program.ts'

/** Adds commands for operators who cannot sign in to the console any more. */
export function addConsoleUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('users who sign in to the console (on the machine of the server)')
  user
    .command('invite')
    .description('print an address at which a user sets a password; a new one is an org_admin')
    .argument('<email>', 'e-mail address of the user')
    // A caller with access to the database needs no key.
    .action((email: string, _options: object, command: Command) => {
      const isGiven = command.getOptionValueSourceWithGlobals('url') !== 'default'
      const { url } = command.optsWithGlobals<{ url: string }>()
      const values = ['invite', email, ...(isGiven ? [url] : [])]
      return runServerProgram(command, 'console-user.mjs', values)
    })
  user
    .command('reset-second-factor')
    .description('remove authenticator app, recovery codes and passkeys of a user')
    .argument('<email>', 'e-mail address of the user')
    .action((email: string, _options: object, command: Command) =>
      runServerProgram(command, 'console-user.mjs', ['reset-second-factor', email]),
    )
}
