import { Command } from 'commander'
import { addAuditCommands } from './commands/audit.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addCatalogImportCommand } from './commands/catalog-import.ts'
import { addCentersImportCommand } from './commands/centers-import.ts'
import { addCompletionCommand } from './commands/completion.ts'
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
import { addMoveCommand } from './commands/move.ts'
import { addOrderCommands } from './commands/orders.ts'
import { addParseCommand } from './commands/parse.ts'
import { addPayorsImportCommand } from './commands/payors-import.ts'
import { addQueryCommand } from './commands/query.ts'
import { addReceiptCommands } from './commands/receipt-verify.ts'
import { addSandboxAdvanceCommand } from './commands/sandbox-advance.ts'
import { addSecretCommands } from './commands/secrets-rotate.ts'
import { addUsersCreateCommand } from './commands/users-create.ts'
import { addUsersDeleteCommand } from './commands/users-delete.ts'
import { addUsersListCommand } from './commands/users-list.ts'
import { addUsersShowCommand } from './commands/users-show.ts'
import { addWebhooksAttemptsCommand } from './commands/webhooks-attempts.ts'
import { addWebhooksCreateCommand } from './commands/webhooks-create.ts'
import { addWebhooksEventsCommand } from './commands/webhooks-events.ts'
import { addWebhooksListCommand } from './commands/webhooks-list.ts'
import { addWebhooksListenCommand } from './commands/webhooks-listen.ts'
import { addWebhooksRecoverCommand } from './commands/webhooks-recover.ts'
import { addWebhooksResendCommand } from './commands/webhooks-resend.ts'
import { addWebhooksSendExampleCommand } from './commands/webhooks-send-example.ts'
import { addGlobalOptions } from './config.ts'
import { VERSION } from './version.ts'

const EXAMPLES = `
Examples:
  $ salus doctor
  $ salus import apple-health export.zip --client-user-id alex --create
  $ salus query --client-user-id alex --metric steps --by day --past 30d
  $ salus parse report.pdf
  $ salus key create --label "Backend" --environment production
  $ salus webhooks listen --forward http://localhost:3000/webhooks/salus

Exit codes: 0 done, 1 refused or failed, 2 called wrongly, 3 no server answers,
130 stopped by Ctrl-C.`

/** Wide terminals would make lines that nobody likes to read. */
const MOST_COLUMNS = 80

/** The whole command line; commands take the settings given here, so those come first. */
export function buildProgram(): Command {
  const program = new Command('salus')
    .description(
      'Works with a Salus server: imports, keys, users, queries, orders, lab reports, assistants, webhooks, the lab catalog, diagnosis codes, its health.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .exitOverride()
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
  addUsersShowCommand(users)
  addUsersCreateCommand(users)
  addUsersDeleteCommand(users)

  addQueryCommand(program)
  addOrderCommands(program)
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
  addReceiptCommands(program)
  addSecretCommands(program)
  addBackupCommands(program)
  addMoveCommand(program)
  addDoctorCommand(program)
  addCompletionCommand(program)
  return program
}
