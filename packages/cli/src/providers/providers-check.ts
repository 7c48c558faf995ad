import { styleText } from 'node:util'
import type { Command } from 'commander'
import { callManagement } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { suggestNames } from '../terminal/nearest-names.ts'
import { formatFields } from '../terminal/table.ts'
import { type ProviderSetup, type ProviderSetupDetails, SETUP_PATH } from './provider-setups.ts'

const HELP = `
Exits with 1 when something is wrong. It asks the running server, whose settings
count, and the server requests its own public address.`

export function addProvidersCheckCommand(providers: Command): void {
  providers
    .command('check')
    .description('check the setup of a provider, and print what to register there')
    .argument('<provider>', 'slug, such as oura')
    .option('--json', 'print the response of the server')
    .addHelpText('after', HELP)
    .action(async (slug: string, { json }: { json?: boolean }, command: Command) => {
      const connection = readConnection(command)
      const list = await callManagement<{ data: ProviderSetup[] }>(connection, 'GET', SETUP_PATH)
      const slugs = list.data.map(({ provider }) => provider)
      if (!slugs.includes(slug)) {
        throw new CliError(`There is no provider ${slug}.${suggestNames(slug, slugs)}`)
      }
      const path = `${SETUP_PATH}/${slug}`
      const setup = await callManagement<ProviderSetupDetails>(connection, 'GET', path)
      if (setup.checks.some(({ state }) => state === 'problem')) process.exitCode = 1
      console.log(json ? JSON.stringify(setup, null, 2) : describeSetup(setup))
    })
}

const SYMBOLS = {
  ok: ['green', 'ok     '],
  problem: ['red', 'PROBLEM'],
  skipped: ['yellow', 'skipped'],
} as const

function describeSetup(setup: ProviderSetupDetails): string {
  const checks = setup.checks.flatMap(({ state, message, advice }) => {
    const [color, symbol] = SYMBOLS[state]
    const line = `${styleText(color, symbol)}  ${message}`
    return advice === null ? [line] : [line, `         → ${advice}`]
  })
  const { registration, notes } = setup
  const steps = registration.map((step, index) => `  ${index + 1}. ${step}`)
  return [
    ...checks,
    '',
    formatFields(fieldsOf(setup)),
    ...(steps.length > 0 ? ['', 'To register:', ...steps] : []),
    ...(notes.length > 0 ? ['', 'To know:', ...notes.map((note) => `  - ${note}`)] : []),
  ].join('\n')
}

function fieldsOf(setup: ProviderSetupDetails): [name: string, value: string | null][] {
  const {
    budgets,
    app_secrets: secrets,
    app_settings: settings,
    scopes,
    regions,
    push_url: pushUrl,
  } = setup
  const listed = (texts: readonly string[]) => (texts.length === 0 ? null : texts.join(' '))
  const subscriber = setup.push_is_subscribed ? 'Salus enters it itself' : 'enter it at the vendor'
  return [
    ['State', setup.state],
    ['Redirect address', setup.redirect_url],
    ['Push address', pushUrl && `${pushUrl} (${subscriber})`],
    ['Scopes', listed(scopes)],
    ['Regions', listed(regions)],
    ['Secrets', listed(secrets.map(({ name, is_set }) => `${name}${is_set ? ' (set)' : ''}`))],
    ['Settings', listed(settings.map(settingText))],
    ['Limits', setup.limits],
    ['Budgets', budgets.map(budgetText).join(', ') || null],
    ['History', setup.history_days === 0 ? null : `${setup.history_days} days`],
    ['Time zones', setup.time_zones],
    ['Resources', setup.resources.join(' ')],
    ['Documentation', setup.documentation],
  ]
}

const settingText = ({
  name,
  is_set,
  default: value,
}: ProviderSetupDetails['app_settings'][number]): string =>
  is_set ? `${name} (set)` : value === null ? name : `${name} (${value})`

const PER: Readonly<Record<string, string>> = {
  app: 'the app',
  address: 'the deployment',
  connection: 'a connection',
}

const budgetText = ({ per, requests, seconds }: ProviderSetupDetails['budgets'][number]): string =>
  `${requests} requests in ${seconds} s for ${PER[per] ?? per}`
