import type { Command } from 'commander'
import { callManagement } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from '../keys/environment-options.ts'
import { pathOfWebhook } from './webhooks.ts'

interface Options extends EnvironmentChoice {
  webhook: string
  type: string
}

export function addWebhooksSendExampleCommand(parent: Command): void {
  const command = parent
    .command('send-example')
    .description('send an example of an event to a webhook, and print its id')
    .requiredOption('--webhook <id>', 'id of the webhook')
    .requiredOption('--type <type>', 'type of the event')
  addEnvironmentOptions(command).action(async (options: Options, self: Command) => {
    const connection = readConnection(self)
    const { webhook, type } = options
    const path = `${pathOfWebhook(await findEnvironment(connection, options), webhook)}/send_example`
    const body = { event_type: type }
    const sent = await callManagement<{ event_id: string }>(connection, 'POST', path, { body })
    console.log(sent.event_id)
  })
}
