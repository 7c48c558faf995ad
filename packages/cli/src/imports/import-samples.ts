import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import type { Command } from 'commander'
import { fetchServer, readAnswer, requireApiKey } from '../connection/api-client.ts'
import { UnreachableError } from '../connection/api-errors.ts'
import { type Connection, readConnection } from '../connection/config.ts'
import { STDIN } from '../terminal/input.ts'
import { untilInterrupted } from '../terminal/interruption.ts'
import { formatFields } from '../terminal/table.ts'
import { measureFile } from './upload-file.ts'

interface Options {
  provider: string
  stage: string
  json?: boolean
}

/** What the server answers. */
interface BulkResult {
  lines: number
  inserted: number
  updated: number
  unchanged: number
  out_of_bounds: number
  put_aside: number
  rejected: number
  problems: { line: number; reason: string }[]
}

const EXAMPLES = `
Examples:
  $ salus import samples history.ndjson
  $ salus import samples history.parquet --provider health_connect
  $ zcat history-*.ndjson.gz | salus import samples -

Each line or row names its user. Of .gz and .zst files the compressed bytes are
sent. When the command was interrupted, run it again: samples that are stored
already count as unchanged.`

export function addImportSamplesCommand(imports: Command): void {
  imports
    .command('samples')
    .description('store samples of many users from newline-delimited JSON or Parquet')
    .argument('<file>', 'file with a sample a line or row; - is stdin')
    .option('--provider <slug>', 'provider to which the users are connected', 'manual')
    .option('--stage <stage>', 'historical or daily', 'historical')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action((path: string, options: Options, command: Command) =>
      importSamples(readConnection(command), path, options),
    )
}

async function importSamples(
  connection: Connection,
  path: string,
  options: Options,
): Promise<void> {
  await measureFile(path)
  const result = await sendSamples(connection, path, options)
  console.log(options.json ? JSON.stringify(result, null, 2) : describe(result))
  if (result.rejected + result.put_aside > 0) process.exitCode = 1
}

function sendSamples(
  connection: Connection,
  path: string,
  { provider, stage }: Options,
): Promise<BulkResult> {
  const key = requireApiKey(connection)
  const address = new URL(`${connection.url}/v2/timeseries/bulk`)
  address.searchParams.set('provider', provider)
  address.searchParams.set('stage', stage)
  const headers = { 'x-service-api-key': key.value, ...encodingOf(path) }
  return untilInterrupted(
    () => 'Stopped: a part may be stored. Run the command again to store the rest.',
    async (signal) => {
      const content: Readable = path === STDIN ? process.stdin : createReadStream(path)
      try {
        const response = await fetchServer(connection, address, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/octet-stream' },
          body: ReadableStream.from(addAbortSignal(signal, content)),
          duplex: 'half',
          signal,
        })
        return await readAnswer<BulkResult>(connection, response, key)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!(error instanceof UnreachableError)) throw error
        const advice = 'A part may be stored; run the command again to store the rest.'
        throw new UnreachableError(`${error.message} ${advice}`, { cause: error })
      }
    },
  )
}

function encodingOf(path: string): { 'content-encoding'?: string } {
  if (path.endsWith('.gz')) return { 'content-encoding': 'gzip' }
  return path.endsWith('.zst') ? { 'content-encoding': 'zstd' } : {}
}

function describe(result: BulkResult): string {
  const counts = formatFields([
    ['lines', String(result.lines)],
    ['inserted', String(result.inserted)],
    ['updated', String(result.updated)],
    ['unchanged', String(result.unchanged)],
    ['out of bounds', String(result.out_of_bounds)],
    ['quarantined', String(result.put_aside)],
    ['rejected', String(result.rejected)],
  ])
  const problems = result.problems.map(({ line, reason }) => `line ${line}: ${reason}`)
  return [counts, ...problems].join('\n')
}
