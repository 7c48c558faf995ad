import type { Command } from 'commander'
import { callManagement } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { type Column, formatTable } from '../terminal/table.ts'
import { type ProviderSetup, SETUP_PATH } from './provider-setups.ts'

const HELP = `
States: vendor, recorded_payloads, documented_schema and emulator_only say how
far the connector was verified; closed, no_public_facts and not_supported say
why there is none. Clients send the data of uploads.`

export function addProvidersListCommand(providers: Command): void {
  providers
    .command('list')
    .description('list the providers: how far verified, whether an app is configured')
    .option('--json', 'print the response of the server')
    .addHelpText('after', HELP)
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const connection = readConnection(command)
      const list = await callManagement<{ data: ProviderSetup[] }>(connection, 'GET', SETUP_PATH)
      if (json) return console.log(JSON.stringify(list, null, 2))
      console.log(formatTable(COLUMNS, list.data))
    })
}

function appOf({ app, team_apps: teams }: ProviderSetup): string {
  if (app === 'not_needed') return '–'
  const ofTeams = teams === 0 ? '' : `${teams} ${teams === 1 ? 'team' : 'teams'}`
  if (app === 'missing') return ofTeams || 'missing'
  return ofTeams === '' ? 'configured' : `configured, ${ofTeams}`
}

const COLUMNS: Column<ProviderSetup>[] = [
  { title: 'Provider', text: ({ provider }) => provider },
  { title: 'Sign-in', text: ({ auth_type }) => auth_type },
  { title: 'State', text: ({ state }) => state },
  { title: 'Production', text: ({ reason }) => (reason === null ? 'connects' : 'refuses') },
  { title: 'App', text: appOf },
  { title: 'Resources', text: ({ resources }) => String(resources.length), align: 'right' },
]
