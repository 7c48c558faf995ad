import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { formatTable } from '../terminal/table.ts'
import { findOrganizationId, listTeamKeys } from './team-keys.ts'

interface Options {
  team?: string
  organization?: string
  json?: boolean
}

export function addKeyListCommand(parent: Command): void {
  parent
    .command('list')
    .description('list API keys with masked values')
    .option('--team <id>', 'list only the keys of this team')
    .option('--organization <id>', 'organization, if it cannot be looked up')
    .option('--json', 'print the list as JSON')
    .action(async (options: Options, command: Command) => {
      const connection = readConnection(command)
      const organizationId = await findOrganizationId(connection, options.organization)
      const all = await listTeamKeys(connection, organizationId)
      const keys = all.filter(({ team_id }) => !options.team || team_id === options.team)
      if (options.json) return console.log(JSON.stringify(keys, null, 2))
      if (keys.length === 0) return console.error('No keys.')
      const columns = [
        { title: 'Id', text: (key: (typeof keys)[number]) => key.id },
        { title: 'Label', text: (key: (typeof keys)[number]) => key.label },
        { title: 'Environment', text: (key: (typeof keys)[number]) => key.environment },
        { title: 'Key', text: (key: (typeof keys)[number]) => key.value },
        { title: 'Team', text: (key: (typeof keys)[number]) => key.team_id },
        { title: 'Scopes', text: (key: (typeof keys)[number]) => key.scopes?.join(' ') ?? 'all' },
        { title: 'Created', text: (key: (typeof keys)[number]) => key.created_at },
        { title: 'Expires', text: (key: (typeof keys)[number]) => key.expires_at ?? 'never' },
        { title: 'Last used', text: (key: (typeof keys)[number]) => key.last_used_at ?? 'never' },
      ]
      console.log(formatTable(columns, keys))
    })
}
