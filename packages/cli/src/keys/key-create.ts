import { type Command, Option } from 'commander'
import { readConnection } from '../connection/config.ts'
import {
  createTeamKey,
  ENVIRONMENTS,
  type Environment,
  findOrganizationId,
  findTeamId,
} from './team-keys.ts'

interface Options {
  label: string
  environment: Environment
  team?: string
  organization?: string
  user?: string
  readOnly?: boolean
  scope?: string[]
  expiresAt?: string
  json?: boolean
}

export function addKeyCreateCommand(parent: Command): void {
  parent
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption('--label <text>', 'what uses the key')
    .addOption(
      new Option('--environment <name>', 'environment of the key')
        .choices(ENVIRONMENTS)
        .default('sandbox'),
    )
    .option('--team <id>', 'team of the key; default: the first one of a local server')
    .option('--organization <id>', 'organization, if it cannot be looked up')
    .option('--user <id>', 'limit the key to this person')
    .option('--read-only', 'limit the key to reading')
    .option('--scope <permission...>', 'limit the key to permissions, such as orders:read')
    .option('--expires-at <time>', 'time at which it expires, such as 2027-01-01T00:00:00Z')
    .option('--json', 'print the key as JSON')
    .action(async (options: Options, command: Command) => {
      const connection = readConnection(command)
      const organizationId = await findOrganizationId(connection, options.organization)
      const teamId = await findTeamId(connection, organizationId, options.team)
      const { label, environment, user: userId, readOnly: isReadOnly, expiresAt } = options
      const limits = { userId, isReadOnly, scopes: options.scope }
      const wanted = { teamId, label, environment, ...limits, expiresAt }
      const key = await createTeamKey(connection, organizationId, wanted)
      if (options.json) return console.log(JSON.stringify(key, null, 2))
      console.error(
        `Created ${environment} key "${key.label}", id ${key.id}. Store it now: it is shown only once.`,
      )
      console.log(key.value)
    })
}
