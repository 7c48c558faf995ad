import type { Command } from 'commander'
import { callManagement } from '../../connection/api-client.ts'
import { addEnvironmentOptions } from '../../keys/environment-options.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { nameOfInput, readInput } from '../../terminal/input.ts'
import { collectValue } from '../../terminal/option-values.ts'
import { type ConnectionChoice, findConnection } from './found-connection.ts'

interface Options extends ConnectionChoice {
  dryRun?: boolean
  secret?: string[]
}

interface Import {
  outcome: 'created' | 'changed' | 'unchanged'
  is_dry_run: boolean
  changed: string[]
  warnings: string[]
}

export function addImportCommand(group: Command): void {
  const command = group
    .command('import')
    .description('store a connection, or change the stored one of its name')
    .argument('<file>', 'configuration: JSON, which may have comments')
    .option('--dry-run', 'only check it, and report what would change')
    .option(
      '--secret <name=@file>',
      'value of a "secret:" reference, from a file; repeatable',
      collectValue,
    )
    .option('--json', 'print the report as JSON')
  addEnvironmentOptions(command).action(async (file: string, options: Options, self: Command) => {
    const config = readConfig(file, (await readInput(file)).toString())
    const secrets = await readSecrets(options.secret ?? [])
    const { connection, path } = await findConnection(self, options, config.connection)
    const report = await callManagement<Import>(connection, 'PUT', path, {
      body: { config, secrets },
      query: options.dryRun ? { dry_run: 'true' } : {},
    })
    console.log(
      options.json ? JSON.stringify(report, null, 2) : describe(config.connection, report),
    )
  })
}

function describe(name: string, report: Import): string {
  const outcome = {
    created: report.is_dry_run ? 'would be created' : 'is created',
    changed: report.is_dry_run ? 'would change' : 'is changed',
    unchanged: 'is unchanged',
  }[report.outcome]
  const changed = report.changed.length > 0 ? `\nSettings: ${report.changed.join(', ')}` : ''
  const warnings = report.warnings.map((warning) => `\nWarning: ${warning}`).join('')
  return `${name} ${outcome}.${changed}${warnings}`
}

/** @throws CliError for what is no JSON object with a name */
function readConfig(file: string, text: string): { connection: string } {
  const name = nameOfInput(file)
  let config: unknown
  try {
    config = JSON.parse(blankComments(text))
  } catch (cause) {
    // The message of the parser quotes the file, which may hold what is secret.
    throw new CliError(`${name} is not JSON with comments.`, { cause })
  }
  const { connection } = (config ?? {}) as { connection?: unknown }
  if (typeof connection === 'string') return { ...(config as object), connection }
  throw new CliError(`${name} has no "connection", the name of the connection.`)
}

const TEXT_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g

/** Replaces the comments of JSON by spaces; texts may contain what looks like one. */
function blankComments(text: string): string {
  return text.replace(TEXT_OR_COMMENT, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' '),
  )
}

/** Values come from files, because other users of a machine can see the options of a command. */
async function readSecrets(given: readonly string[]): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const option of given) {
    const [, name, path] = /^([a-z0-9_-]{1,40})=@(.+)$/s.exec(option) ?? []
    if (name === undefined || path === undefined) {
      throw new CliError('--secret must be <name>=@<file>: the value is read from the file.')
    }
    secrets[name] = (await readInput(path)).toString().replace(/\r?\n$/, '')
  }
  return secrets
}
