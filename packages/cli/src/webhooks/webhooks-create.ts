import type { Command } from 'commander'
import { callManagement } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { collect, wholeNumber } from '../terminal/option-values.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from './webhook-environment.ts'
import { pathOfWebhook, type Webhook } from './webhooks.ts'

interface Options extends EnvironmentChoice {
  type?: string[]
  description?: string
  rateLimit?: number
  json?: boolean
}

const EXAMPLE = `
Example:
  $ salus webhooks create https://example.com/hook --type 'daily.data.*'

The address has no option: --url names the server, as in every command.`

/** The most that the server takes. */
const MOST_A_SECOND = 100_000

export function addWebhooksCreateCommand(parent: Command): void {
  const command = parent
    .command('create')
    .description('make a webhook, and print its id and the secret that signs its messages')
    .argument('<address>', 'where the messages go; https and public, unless the server is set so')
    .option('--type <type>', 'only events of this type, or with a trailing *; repeatable', collect)
    .option('--description <text>', 'what it is for')
    .option('--rate-limit <number>', 'messages a second at most', wholeNumber(1, MOST_A_SECOND))
    .option('--json', 'print the webhook with its secret as JSON')
  addEnvironmentOptions(command.addHelpText('after', EXAMPLE)).action(
    async (url: string, options: Options, self: Command) => {
      const connection = readConnection(self)
      const { type: filter_types, description, rateLimit: rate_limit } = options
      const environment = await findEnvironment(connection, options)
      const body = { url, filter_types, description, rate_limit }
      const webhook = await callManagement<Webhook>(
        connection,
        'POST',
        `${environment.path}/webhook`,
        {
          body,
        },
      )
      // Told before the secret is asked for, so that no failure hides what was made.
      if (!options.json) console.log(`Webhook  ${webhook.id}`)
      const path = `${pathOfWebhook(environment, webhook.id)}/secret`
      const { key: secret } = await callManagement<{ key: string }>(connection, 'GET', path)
      if (options.json) return console.log(JSON.stringify({ ...webhook, secret }, null, 2))
      console.log(`Secret   ${secret}`)
    },
  )
}
