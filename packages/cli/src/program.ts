import { Command } from 'commander'
import { addCompletionCommand } from './completion.ts'
import { addGlobalOptions, visibleGlobalOptions } from './connection/global-options.ts'
import { addImportAnswerCommand } from './imports/import-answer.ts'
import { addImportAppleHealthCommand } from './imports/import-apple-health.ts'
import { addImportCsvCommand } from './imports/import-csv.ts'
import { addImportFileCommand } from './imports/import-file.ts'
import { addImportFollowCommand } from './imports/import-follow.ts'
import { addImportFormatsCommand } from './imports/import-formats.ts'
import { addImportSamplesCommand } from './imports/import-samples.ts'
import { addKeyCreateCommand } from './keys/key-create.ts'
import { addKeyDeleteCommand } from './keys/key-delete.ts'
import { addKeyListCommand } from './keys/key-list.ts'
import { addKeyRotateCommand } from './keys/key-rotate.ts'
import { addLabConnectionCommands } from './lab/connections/lab-connection.ts'
import { addSandboxLabCommand } from './lab/connections/sandbox-lab.ts'
import { addCatalogImportCommand } from './lab/loading/catalog-import.ts'
import { addCentersImportCommand } from './lab/loading/centers-import.ts'
import { addCompendiumImportCommand } from './lab/loading/compendium-import.ts'
import { addIcd10ImportCommand } from './lab/loading/icd10-import.ts'
import { addPayorsImportCommand } from './lab/loading/payors-import.ts'
import { addOrderCommands } from './lab/orders.ts'
import { addParseCommand } from './lab/parse.ts'
import { addSandboxAdvanceCommand } from './lab/sandbox-advance.ts'
import { addMcpCommand } from './mcp.ts'
import { addAuditCommands } from './operation/audit.ts'
import { addBackupCommands } from './operation/backup.ts'
import { addCapacityCommand } from './operation/capacity.ts'
import { addConsoleCommand } from './operation/console.ts'
import { addConsoleUserCommands } from './operation/console-users.ts'
import { addDemoCommands } from './operation/demo.ts'
import { addDoctorCommand } from './operation/doctor.ts'
import { addErasureCommands } from './operation/erasure-clean-up.ts'
import { addKeyRecoverCommand } from './operation/key-recover.ts'
import { addMoveCommand } from './operation/move.ts'
import { addSecretCommands } from './operation/secrets-rotate.ts'
import { addShardsCommands } from './operation/shards.ts'
import { addStatusCommand } from './operation/status.ts'
import { addProvidersCheckCommand } from './providers/providers-check.ts'
import { addProvidersListCommand } from './providers/providers-list.ts'
import { addProvidersMapCommand } from './providers/providers-map.ts'
import { addQueryCommand } from './queries/query.ts'
import { addReceiptCommands } from './users/receipt-verify.ts'
import { addUsersCreateCommand } from './users/users-create.ts'
import { addUsersDeleteCommand } from './users/users-delete.ts'
import { addUsersListCommand } from './users/users-list.ts'
import { addUsersShowCommand } from './users/users-show.ts'
import { VERSION } from './version.ts'
import { addWebhooksAttemptsCommand } from './webhooks/webhooks-attempts.ts'
import { addWebhooksCreateCommand } from './webhooks/webhooks-create.ts'
import { addWebhooksEventsCommand } from './webhooks/webhooks-events.ts'
import { addWebhooksListCommand } from './webhooks/webhooks-list.ts'
import { addWebhooksListenCommand } from './webhooks/webhooks-listen.ts'
import { addWebhooksRecoverCommand } from './webhooks/webhooks-recover.ts'
import { addWebhooksResendCommand } from './webhooks/webhooks-resend.ts'
import { addWebhooksSendExampleCommand } from './webhooks/webhooks-send-example.ts'

const EXAMPLES = `
Examples:
  $ salus doctor
  $ salus demo fill
  $ salus import export.zip --client-user-id alex --create
  $ salus query --client-user-id alex --metric steps --by day --past 30d
  $ salus parse report.pdf
  $ salus key create --label "Backend" --environment production
  $ salus webhooks listen --forward http://localhost:3000/webhooks/salus

Exit codes: 0 done, 1 refused or failed, 2 called wrongly, 3 no server answers,
130 stopped by Ctrl-C.`

/** Longer lines are hard to read on wide terminals. */
const MOST_COLUMNS = 80

/**
 * Builds the whole command line; commands inherit the settings that are made here, so those come
 * first.
 */
export function buildProgram(): Command {
  const program = new Command('salus')
    .description(
      'Client of a Salus server: imports, keys, users, queries, orders, lab reports, assistants, webhooks, the lab catalog, diagnosis codes, diagnostics.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false, visibleGlobalOptions })
    .configureOutput({
      getOutHelpWidth: () => Math.min(process.stdout.columns ?? MOST_COLUMNS, MOST_COLUMNS),
    })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', EXAMPLES)
  addGlobalOptions(program)

  const imports = program
    .command('import')
    .description('imports of files with health data')
    .addHelpText('after', '\nA file is imported by: salus import <file> --user <id>')
  addImportFileCommand(imports)
  addImportFormatsCommand(imports)
  addImportCsvCommand(imports)
  addImportAppleHealthCommand(imports)
  addImportSamplesCommand(imports)
  addImportFollowCommand(imports)
  addImportAnswerCommand(imports)

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

  const providers = program
    .command('providers')
    .description('providers of data: their setup, and what their payloads become')
  addProvidersListCommand(providers)
  addProvidersCheckCommand(providers)
  addProvidersMapCommand(providers)

  const webhooks = program
    .command('webhooks')
    .description('events and webhooks of a team (needs a management key)')
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

  const compendium = program
    .command('compendium')
    .description('tests of a laboratory, from its own files (needs a management key)')
  addCompendiumImportCommand(compendium)

  addLabConnectionCommands(program)

  const centers = program
    .command('centers')
    .description('service centers of laboratories (needs a management key)')
  addCentersImportCommand(centers)

  const payors = program
    .command('payors')
    .description('insurers of people (needs a management key)')
  addPayorsImportCommand(payors)

  const icd10 = program.command('icd10').description('diagnosis codes (needs a management key)')
  addIcd10ImportCommand(icd10)

  const sandbox = program.command('sandbox').description('the sandbox of the team')
  addSandboxAdvanceCommand(sandbox)
  addSandboxLabCommand(sandbox)

  addDemoCommands(program)
  addConsoleCommand(program)
  addConsoleUserCommands(program)
  addAuditCommands(program)
  addReceiptCommands(program)
  addErasureCommands(program)
  addSecretCommands(program)
  addBackupCommands(program)
  addMoveCommand(program)
  addShardsCommands(program)
  addStatusCommand(program)
  addDoctorCommand(program)
  addCapacityCommand(program)
  addCompletionCommand(program)
  return program
}
