import { createInterface } from 'node:readline'
import type { LabEvent, WiredLaboratory } from '@salus/sandbox/wired-lab'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { callManagement } from '../../connection/api-client.ts'
import { addEnvironmentOptions } from '../../keys/environment-options.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { untilInterrupted } from '../../terminal/interruption.ts'
import { parseDuration, wholeNumber } from '../../terminal/option-values.ts'
import { type ConnectionChoice, findConnection } from './found-connection.ts'
import {
  listMarkers,
  readSteps,
  type SandboxConnection,
  startLaboratory,
} from './sandbox-laboratory.ts'

interface Options extends ConnectionChoice {
  lab?: string
  profile: string
  ordersPort: number
  resultsPort: number
  steps: string
  pace: number
}

const PROFILES = ['hl7-2.3-legacy', 'hl7-2.3.1-legacy', 'loi-lri-2.5.1', 'fhir-r4'] as const

/** The least that a connection may have. */
const FHIR_POLL_SECONDS = 5

const EXAMPLES = `
Examples:
  $ salus sandbox lab --lab quest
  $ salus sandbox lab --lab quest --profile fhir-r4 --steps final,corrected
  $ salus sandbox lab quest-test --pace 30s

Steps: preliminary, final, corrected, reflex, microbiology, document, qns,
cancelled, wrong-patient, duplicate. Answers: accept, refuse, lose, slow <time>.
Values: normal, abnormal, critical. Notes of an order can have steps of its
own: "[sandbox: slow 5s, final, corrected]". While it runs, a line such as
"SA00000001 corrected" on stdin sends more.`

/** Adds the laboratory of a sandbox, which runs until it is interrupted. */
export function addSandboxLabCommand(parent: Command): void {
  const command = parent
    .command('lab')
    .description('run a laboratory that takes the orders of a sandbox over HL7 or FHIR')
    .argument('[connection]', 'name of a stored connection, whose other side it is')
    .option('--lab <slug>', 'store a connection to this laboratory, <slug>-rehearsal, and use it')
    .addOption(
      new Option('--profile <profile>', 'profile of that connection')
        .choices(PROFILES)
        .default(PROFILES[0]),
    )
    .option('--orders-port <port>', 'where it takes orders', wholeNumber(1, 65_535), 6661)
    .option('--results-port <port>', 'where Salus takes results', wholeNumber(1, 65_535), 6670)
    .option('--steps <list>', 'what it sends about each order', 'preliminary, final')
    .option('--pace <time>', 'time between messages about an order', parseInterval, 2)
  addEnvironmentOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((name: string | undefined, options: Options, self: Command) => run(name, options, self))
}

/** Like durations, but `0s` is one too. */
function parseInterval(text: string): number {
  const seconds = parseDuration(text)
  if (seconds <= 3600) return seconds
  throw new InvalidArgumentError('It must be at most an hour.')
}

async function run(given: string | undefined, options: Options, self: Command): Promise<void> {
  if (options.environment !== 'sandbox') throw new CliError('It works for sandboxes only.')
  if ((given === undefined) === (options.lab === undefined)) {
    throw new CliError('Name a stored connection, or a laboratory with --lab.')
  }
  const scenario = await readSteps(options.steps)
  const name = given ?? `${options.lab}-rehearsal`
  const { connection, path } = await findConnection(self, options, name)
  if (options.lab !== undefined) {
    const config = makeConfig(name, options.lab, options)
    await callManagement(connection, 'PUT', path, { body: { config, secrets: {} } })
  }
  const found = await callManagement<SandboxConnection>(connection, 'GET', path)
  const markers = await listMarkers(connection, found.lab)
  const laboratory = await startLaboratory(found, markers, {
    scenario,
    pace: options.pace,
    onEvent: print,
  })
  console.error(`${name}: ${found.config.profile} of ${found.lab}, ${markers.length} tests.`)
  console.error(`It takes orders at port ${laboratory.port}. Ctrl-C ends it.`)
  try {
    await untilInterrupted(
      () => `The laboratory is closed. ${name} stays, and its orders wait for it.`,
      (signal) => followCommands(laboratory, signal),
    )
  } finally {
    await laboratory.close()
  }
}

/** The connection whose two sides are on this machine. */
function makeConfig(connection: string, lab: string, options: Options): object {
  const { profile, ordersPort, resultsPort } = options
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const shared = { connection, lab, profile, time_zone }
  const base = `http://127.0.0.1:${ordersPort}/fhir`
  if (profile === 'fhir-r4') {
    const results = { kind: 'fhir-poll', base, every_seconds: FHIR_POLL_SECONDS }
    return { ...shared, orders: { kind: 'fhir', base }, results }
  }
  const [host, peers] = ['127.0.0.1', ['127.0.0.1']]
  const results = { kind: 'mllp-listen', bind: host, port: resultsPort, peers }
  return { ...shared, orders: { kind: 'mllp', host, port: ordersPort }, results }
}

function print({ at, number, what, text }: LabEvent): void {
  const time = at.toISOString().slice(11, 19)
  console.log(`${time}  ${number.padEnd(10)}  ${what.padEnd(16)}  ${text}`)
}

/** Runs steps that lines of stdin name, until the signal fires. */
async function followCommands(laboratory: WiredLaboratory, signal: AbortSignal): Promise<void> {
  const lines = createInterface({ input: process.stdin })
  const execute = async (line: string): Promise<void> => {
    const [, number = '', words = ''] = /^\s*(\S+)\s+(.+)$/.exec(line) ?? []
    if (line.trim() === '') return
    try {
      const { steps } = await readSteps(words)
      if (steps.length === 0) console.error('Write the number of an order, and steps.')
      else if (!(await laboratory.run(number, steps))) console.error(`It has no order ${number}.`)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      console.error(error.message)
    }
  }
  await new Promise<void>((_, reject) => {
    const end = (reason: unknown): void => {
      lines.close()
      reject(reason)
    }
    lines.on('line', (line) => void execute(line).catch(end))
    signal.addEventListener('abort', () => end(signal.reason), { once: true })
  })
}
