import type { Command } from 'commander'
import { callManagement } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import {
  addEnvironmentOptions,
  type EnvironmentChoice,
  findEnvironment,
} from '../keys/environment-options.ts'
import { type EventSummary, pathOfWebhook } from './webhooks.ts'

interface Options extends EnvironmentChoice {
  webhook: string
  json?: boolean
}

export function addWebhooksResendCommand(parent: Command): void {
  const command = parent
    .command('resend')
    .description('send an event to a webhook again, under the same message id')
    .argument('<event>', 'id of the event, from "salus webhooks events"')
    .requiredOption('--webhook <id>', 'id of the webhook')
    .option('--json', 'print the event as JSON')
  addEnvironmentOptions(command).action(
    async (eventId: string, options: Options, self: Command) => {
      const connection = readConnection(self)
      const environment = await findEnvironment(connection, options)
      const path = `${pathOfWebhook(environment, options.webhook)}/event/${encodeURIComponent(eventId)}`
      const event = await callManagement<EventSummary>(connection, 'POST', `${path}/resend`)
      if (options.json) return console.log(JSON.stringify(event, null, 2))
      console.log(`The ${event.event_type} event ${event.id} was sent again.`)
    },
  )
}
