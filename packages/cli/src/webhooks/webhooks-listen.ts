import { once } from 'node:events'
import { signWebhook } from '@salus/sdk/webhooks'
import { type Command, InvalidArgumentError } from 'commander'
import { type Connection, readConnection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { untilInterrupted } from '../terminal/interruption.ts'
import { collect, wholeNumber } from '../terminal/option-values.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from './webhook-environment.ts'
import { type ForwardTarget, makeSecret } from './webhook-forwarding.ts'
import { Listening, type ListeningOutput } from './webhook-listening.ts'

interface Options extends EnvironmentChoice {
  forward?: string
  secret?: string
  type?: string[]
  after?: string
  limit?: number
  json?: boolean
}

const EXAMPLES = `
Examples:
  $ salus webhooks listen
  $ salus webhooks listen --forward http://localhost:3000/webhooks/salus
  $ salus webhooks listen --type 'daily.data.heartrate.*' --json | jq .payload
  $ salus webhooks listen --after 0-0 --limit 10

It needs no webhook: the events come over a connection to the server.`

export function addWebhooksListenCommand(parent: Command): void {
  const command = parent
    .command('listen')
    .description('print the events of a team as they happen, and forward them to an address')
    .option('--forward <url>', 'send each event there too, signed as a webhook', webAddress)
    .option('--secret <whsec>', 'what signs the forwarded events; made anew without it', secret)
    .option('--type <type>', 'only events of this type, or with a trailing *; repeatable', collect)
    .option('--after <position>', 'begin there instead of now; 0-0 is everything that is kept')
    .option('--limit <number>', 'end after so many events', wholeNumber(1, 1_000_000))
    .option('--json', 'print one JSON object for each event, with its payload')
  addEnvironmentOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((options: Options, self: Command) => listen(readConnection(self), options))
}

async function listen(connection: Connection, options: Options): Promise<void> {
  const { after, forward, limit, json: isJson = false, type: eventTypes = [] } = options
  if (forward === undefined && options.secret !== undefined) {
    throw new CliError('--secret signs what --forward sends. Give both.')
  }
  const environment = await findEnvironment(connection, options)
  const target = forward === undefined ? undefined : makeTarget(forward, options.secret)
  const path = `${environment.path}/event_stream`
  const what = `the ${environment.environment} of team ${environment.teamId}`
  const listening = new Listening(
    connection,
    { path, eventTypes, after, isJson, limit, target, what },
    OUTPUT,
  )
  await untilInterrupted(
    () => listening.summarize(),
    (signal) => listening.run(signal),
  )
  console.error(listening.summarize())
}

const OUTPUT: ListeningOutput = {
  print: async (line, signal) => {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain', { signal })
  },
  say: (line) => console.error(line),
}

function makeTarget(url: string, given: string | undefined): ForwardTarget {
  if (given !== undefined) return { url, secret: given }
  const made = makeSecret()
  console.error(`Signing secret: ${made}`)
  return { url, secret: made }
}

function webAddress(text: string): string {
  const url = URL.parse(text)
  const isWeb = url !== null && /^https?:$/.test(url.protocol)
  if (isWeb && url.username === '' && url.password === '') return text
  throw new InvalidArgumentError('It must be http:// or https://, without a name and a password.')
}

function secret(text: string): string {
  try {
    signWebhook({ id: '', timestamp: new Date(0), payload: '', secret: text })
    return text
  } catch {
    throw new InvalidArgumentError('It must be whsec_ and base64.')
  }
}
