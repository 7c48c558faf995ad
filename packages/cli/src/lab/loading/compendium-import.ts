import { type Command, InvalidArgumentError } from 'commander'
import { type Connection, readConnection } from '../../connection/config.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { confirm } from '../../terminal/confirm.ts'
import { nameOfInput, readInput } from '../../terminal/input.ts'
import { untilInterrupted } from '../../terminal/interruption.ts'
import { formatCount } from '../../terminal/number-format.ts'
import { readCompendiumFiles } from './compendium-files.ts'
import { type CompendiumReport, countChanges, formatDifferences } from './compendium-report.ts'
import { uploadDocument } from './document-upload.ts'
import { explainProblems, type LoadProblems } from './load-problems.ts'

interface Options {
  lab: string
  mapping: string
  dryRun?: boolean
  allowRetire?: boolean
  skipRefused?: boolean
  yes?: boolean
  json?: boolean
}

const EXAMPLES = `
Examples:
  $ salus compendium import acme.zip --lab acme --mapping acme.json --dry-run
  $ salus compendium import tests.csv aoe.csv --lab acme --mapping acme.json

The differences are shown before they are applied. A zip stands for its files.
The format of mappings is in packages/lab/data/compendium/README.md.`

export function addCompendiumImportCommand(parent: Command): void {
  parent
    .command('import')
    .description("load a laboratory's tests from the files of its compendium")
    .argument('<files...>', 'files of the laboratory: delimited, of fixed width, HL7, or a zip')
    .requiredOption('--lab <slug>', 'slug of the laboratory', nonEmpty)
    .requiredOption('--mapping <file>', 'JSON that says what the columns of the files are')
    .option('--dry-run', 'only show what would change')
    .option('--allow-retire', 'also retire more than a tenth of the tests')
    .option('--skip-refused', 'load the other tests when some are refused')
    .option('--yes', 'skip the confirmation')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', EXAMPLES)
    .action(importCompendium)
}

function nonEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('It is empty.')
  return value
}

async function importCompendium(
  paths: string[],
  options: Options,
  command: Command,
): Promise<void> {
  const connection = readConnection(command)
  const body = await readBody(paths, options)
  const planned = await send(connection, body, options, true)
  if (options.dryRun) return print(planned, options)
  if (!options.json) console.log(formatDifferences(planned))
  refuseUnlessAllowed(planned, options)
  if (countChanges(planned) === 0) {
    return options.json ? print(planned, options) : console.log('\nNo changes.')
  }
  const question = `Apply the changes of ${formatCount(countChanges(planned))} tests?`
  if (!options.yes) {
    await confirm(question, 'the compendium', { verb: 'load', done: 'loaded' })
  }
  const report = await send(connection, body, options, false)
  if (options.json) return print(report, options)
  console.log(`\nThe compendium is loaded: ${formatCount(countChanges(report))} tests changed.`)
}

function print(report: CompendiumReport, options: Options): void {
  const end = countChanges(report) === 0 ? 'No changes.' : 'Nothing was stored.'
  console.log(
    options.json ? JSON.stringify(report, null, 2) : `${formatDifferences(report)}\n\n${end}`,
  )
}

async function readBody(paths: readonly string[], options: Options): Promise<Buffer> {
  const text = (await readInput(options.mapping)).toString()
  const files = await readCompendiumFiles(paths)
  const contents = [...files].map(([name, content]) => [name, content.toString('base64')])
  const mapping = parseMapping(nameOfInput(options.mapping), text)
  return Buffer.from(
    JSON.stringify({ lab: options.lab, mapping, files: Object.fromEntries(contents) }),
  )
}

function parseMapping(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CliError(`${name} is not JSON: ${(cause as Error).message}.`, { cause })
  }
}

function send(
  connection: Connection,
  body: Buffer,
  { allowRetire, skipRefused }: Options,
  isDryRun: boolean,
): Promise<CompendiumReport> {
  const document = {
    path: '/v1/compendium',
    query: {
      ...(allowRetire && { allow_retire: 'true' }),
      ...(skipRefused && { skip_refused: 'true' }),
    },
    body,
    refusal: 'compendium_invalid',
    explain: (problems: LoadProblems) => explainProblems('The compendium has', problems),
  }
  return untilInterrupted(
    () => 'Stopped: a compendium that was already sent may still be loaded.',
    (signal) =>
      uploadDocument<CompendiumReport>(connection, document, isDryRun, process.stderr, signal),
  )
}

function refuseUnlessAllowed(report: CompendiumReport, options: Options): void {
  if (report.refusal_count > 0 && !options.skipRefused) {
    throw new CliError(
      'Some tests are refused; nothing was loaded. --skip-refused loads the others.',
    )
  }
  if (report.retires_too_many && !options.allowRetire) {
    throw new CliError(
      'More than a tenth of the tests would be retired; nothing was loaded. --allow-retire allows it.',
    )
  }
}
