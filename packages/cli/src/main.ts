import { Command } from 'commander'
import { CliError } from './cli-error.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addCatalogImportCommand } from './commands/catalog-import.ts'
import { addCentersImportCommand } from './commands/centers-import.ts'
import { addConsoleCommand } from './commands/console.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addIcd10ImportCommand } from './commands/icd10-import.ts'
import { addImportAppleHealthCommand } from './commands/import-apple-health.ts'
import { addImportFollowCommand } from './commands/import-follow.ts'
import { addKeyCreateCommand } from './commands/key-create.ts'
import { addKeyDeleteCommand } from './commands/key-delete.ts'
import { addKeyListCommand } from './commands/key-list.ts'
import { addKeyRecoverCommand } from './commands/key-recover.ts'
import { addKeyRotateCommand } from './commands/key-rotate.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addParseCommand } from './commands/parse.ts'
import { addPayorsImportCommand } from './commands/payors-import.ts'
import { addQueryCommand } from './commands/query.ts'
import { addSandboxAdvanceCommand } from './commands/sandbox-advance.ts'
import { addSecretCommands } from './commands/secrets-rotate.ts'
import { addUsersCreateCommand } from './commands/users-create.ts'
import { addUsersListCommand } from './commands/users-list.ts'
import { addWebhooksAttemptsCommand } from './commands/webhooks-attempts.ts'
import { addWebhooksCreateCommand } from './commands/webhooks-create.ts'
import { addWebhooksEventsCommand } from './commands/webhooks-events.ts'
import { addWebhooksListCommand } from './commands/webhooks-list.ts'
import { addWebhooksListenCommand } from './commands/webhooks-listen.ts'
import { addWebhooksRecoverCommand } from './commands/webhooks-recover.ts'
import { addWebhooksResendCommand } from './commands/webhooks-resend.ts'
import { addWebhooksSendExampleCommand } from './commands/webhooks-send-example.ts'
import { addGlobalOptions } from './config.ts'
import { InterruptedError } from './interruption.ts'

const EXAMPLES = `
Examples:
  $ salus doctor
  $ salus import apple-health export.zip --client-user-id alex --create
  $ salus query --client-user-id alex --file sleep.json --past 30d
  $ salus parse report.pdf
  $ salus key create --label "Backend" --environment production
  $ salus webhooks listen --forward http://localhost:3000/webhooks/salus`

/** Wide terminals would make lines that nobody likes to read. */
const MOST_COLUMNS = 100

/** The whole command line; commands take the settings given here, so those come first. */
function buildProgram(): Command {
  const program = new Command('salus')
    .description(
      'Works with a Salus server: imports, keys, users, queries, lab reports, webhooks, the lab catalog, diagnosis codes, its health.',
    )
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      getOutHelpWidth: () => Math.min(process.stdout.columns ?? MOST_COLUMNS, MOST_COLUMNS),
    })
    .showHelpAfterError('(add --help to see how it goes)')
    .addHelpText('after', EXAMPLES)
  addGlobalOptions(program)

  const imports = program.command('import').description('bring health data in')
  addImportAppleHealthCommand(imports)
  addImportFollowCommand(imports)

  const keys = program.command('key').description('API keys of teams (needs a management key)')
  addKeyCreateCommand(keys)
  addKeyListCommand(keys)
  addKeyDeleteCommand(keys)
  addKeyRotateCommand(keys)
  addKeyRecoverCommand(keys)

  const users = program.command('users').description('users of the team')
  addUsersListCommand(users)
  addUsersCreateCommand(users)

  addQueryCommand(program)
  addParseCommand(program)
  addMcpCommand(program)

  const webhooks = program
    .command('webhooks')
    .description('events of a team, and where they are sent (needs a management key)')
  addWebhooksListenCommand(webhooks)
  addWebhooksListCommand(webhooks)
  addWebhooksCreateCommand(webhooks)
  addWebhooksSendExampleCommand(webhooks)
  addWebhooksEventsCommand(webhooks)
  addWebhooksAttemptsCommand(webhooks)
  addWebhooksResendCommand(webhooks)
  addWebhooksRecoverCommand(webhooks)

  const catalog = program
    .command('catalog')
    .description('laboratories and their tests (needs a management key)')
  addCatalogImportCommand(catalog)

  const centers = program
    .command('centers')
    .description('service centers of laboratories (needs a management key)')
  addCentersImportCommand(centers)

  const payors = program
    .command('payors')
    .description('who insures people (needs a management key)')
  addPayorsImportCommand(payors)

  const icd10 = program.command('icd10').description('diagnosis codes (needs a management key)')
  addIcd10ImportCommand(icd10)

  const sandbox = program.command('sandbox').description('the sandbox of the team')
  addSandboxAdvanceCommand(sandbox)

  addConsoleCommand(program)
  addAuditCommands(program)
  addSecretCommands(program)
  addDoctorCommand(program)
  return program
}

// `salus users list | head` closes the pipe early, which is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await buildProgram().parseAsync()
} catch (error) {
  if (error instanceof CliError) console.error(`salus: ${error.message}`)
  else console.error(error)
  // The usual code for Ctrl-C; whatever is still open then is not worth waiting for.
  if (error instanceof InterruptedError) process.exit(130)
  process.exitCode = 1
}
