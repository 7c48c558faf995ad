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
  since: string
  until?: string
}

export function addWebhooksRecoverCommand(parent: Command): void {
  const command = parent
    .command('recover')
    .description('send all events since a date that a webhook subscribes to and did not receive')
    .requiredOption('--webhook <id>', 'id of the webhook')
    .requiredOption('--since <date>', 'first day, or date and time, in UTC without an offset')
    .option('--until <date>', 'last day, or date and time; default: now')
  addEnvironmentOptions(command).action(async (options: Options, self: Command) => {
    const connection = readConnection(self)
    const { webhook, since, until } = options
    const path = `${pathOfWebhook(await findEnvironment(connection, options), webhook)}/recover`
    await callManagement(connection, 'POST', path, { body: { since, until } })
    console.log(
      'The events of that time that the webhook did not receive are sent in the background.',
    )
  })
}
