import type { Command } from 'commander'
import { callManagement } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from '../keys/environment-options.ts'
import { collectValue, wholeNumber } from '../terminal/option-values.ts'
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

/** Maximum of the server. */
const MOST_A_SECOND = 100_000

export function addWebhooksCreateCommand(parent: Command): void {
  const command = parent
    .command('create')
    .description('create a webhook, and print its id and signing secret')
    .argument(
      '<address>',
      'address of the messages; https and public, unless the server allows others',
    )
    .option(
      '--type <type>',
      'only events of this type, or with a trailing *; repeatable',
      collectValue,
    )
    .option('--description <text>', 'description of the webhook')
    .option('--rate-limit <number>', 'maximum messages per second', wholeNumber(1, MOST_A_SECOND))
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
      // Printed before the secret is requested, so that a failure does not hide the new webhook.
      if (!options.json) console.log(`Webhook  ${webhook.id}`)
      const path = `${pathOfWebhook(environment, webhook.id)}/secret`
      const { key: secret } = await callManagement<{ key: string }>(connection, 'GET', path)
      if (options.json) return console.log(JSON.stringify({ ...webhook, secret }, null, 2))
      console.log(`Secret   ${secret}`)
    },
  )
}
