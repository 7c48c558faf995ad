import {
  type AuthType,
  findProvider,
  PROVIDERS,
  type Provider,
  SDK_PROVIDER_SLUGS,
} from '@salus/contracts/providers'
import { SERIES } from '@salus/contracts/series'
import {
  CONNECTORS,
  type Connector,
  PROVIDER_STATES,
  type ProviderStatus,
  regionNames,
  statusOf,
} from '@salus/health/connectors'
import { code, codeList, generatedNotice, joinParts, markdownTable } from './markdown.ts'

const AUTH: Record<AuthType, string> = {
  oauth: 'OAuth',
  team_oauth: "OAuth with the team's own app",
  password: 'user name and password',
  email: 'email invitation',
  sdk: 'none: a mobile app, a meter or the team sends the data',
}

interface Entry {
  provider: Provider
  connector: Connector | undefined
  status: ProviderStatus
}

/** Generates docs/providers.md: every provider, how to set it up, and why others are refused. */
export function describeProviders(): string {
  const entries = PROVIDERS.map((provider): Entry => {
    const connector = CONNECTORS.find(({ slug }) => slug === provider.slug)
    return { provider, connector, status: statusOf(provider.slug, connector) }
  })
  const connected = entries.filter(({ connector }) => connector !== undefined)
  const refused = entries.filter(
    ({ connector, provider }) => connector === undefined && provider.authType !== 'sdk',
  )
  return joinParts(
    generatedNotice('the table of providers and the guides of the connectors'),
    '# Providers',
    `Salus names ${PROVIDERS.length} providers. Clients send the data of ${SDK_PROVIDER_SLUGS.length} of them, Salus has connectors to the clouds of ${connected.length}, and it refuses ${refused.length}, whose names are part of the interface, with the reason.`,
    'In a sandbox the clouds are [emulated](sandbox.md) without any setup. In production, providers with OAuth or an invitation need an app that the team, or the operator with [SALUS_PROVIDER_APPS](settings.md), registered with the vendor. [`salus providers check`](cli.md#salus-providers) prints the addresses to register and checks the setup. How another provider is added: [connectors](connectors.md).',
    '## Overview',
    markdownTable(
      ['Slug', 'Name', 'How a person grants access', 'State', 'Resources'],
      entries.map(overviewRow),
    ),
    '## How far connectors are verified',
    'A connector that was verified less may read something wrongly. [`salus providers map`](cli.md#salus-providers) prints what a payload becomes, and a report with both helps.',
    markdownTable(
      ['State', 'Meaning'],
      Object.entries(PROVIDER_STATES).map(([state, meaning]) => [code(state), meaning]),
    ),
    '## Providers that Salus refuses',
    'Sign-ins, link tokens and bulk operations for them are 400 `provider_not_available`, and no list has them.',
    markdownTable(
      ['Slug', 'State', 'Reason'],
      entries
        .filter(({ status }) => status.reason !== null)
        .map(({ provider, status }) => [
          code(provider.slug),
          code(status.state) + (status.state === 'emulator_only' ? ', sandboxes only' : ''),
          status.reason ?? '',
        ]),
    ),
    '## Providers whose data clients send',
    `${codeList(SDK_PROVIDER_SLUGS)}: connect one with \`POST /v2/link/provider/manual/{slug}\`, then upload samples; [an Apple Health export](apple-health.md) connects \`apple_health_kit\` by itself.`,
    '## Connectors',
    ...connected.map(({ provider, connector }) =>
      describeConnector(provider, connector as Connector).trimEnd(),
    ),
  )
}

function overviewRow({ provider, connector, status }: Entry): string[] {
  const { slug, name, authType, resources } = provider
  const label = connector === undefined ? name : `[${name}](#${slug})`
  return [code(slug), label, AUTH[authType], code(status.state), resourcesCell(resources)]
}

/** Describes a connector: what it brings, its limits, and how its app is registered. */
function describeConnector(provider: Provider, connector: Connector): string {
  const { slug, guide, appSecrets = {}, appSettings = {} } = connector
  const { registration, notes, documentation } = guide
  const secrets = Object.entries(appSecrets)
  const settings = Object.entries(appSettings)
  return joinParts(
    `### ${slug}`,
    markdownTable(
      [provider.name, ''],
      [
        ['Verified', `${code(guide.verification)}: ${PROVIDER_STATES[guide.verification]}`],
        ...(guide.sandboxOnly ? [['Sandboxes only', guide.sandboxOnly]] : []),
        ['Sign-in', AUTH[provider.authType] + regionsOf(connector)],
        ['History', `${provider.historicalDays} days`],
        ['New data', newsOf(connector)],
        ['Local time', guide.timeZones],
        ['Limits', guide.limits],
        ['Documentation', documentation === null ? 'none is published' : `<${documentation}>`],
      ],
    ),
    resourceTable(provider, connector),
    ...(registration.length > 0
      ? [
          `To register the app of \`${slug}\`:`,
          registration.map((step, index) => `${index + 1}. ${step}`).join('\n'),
        ]
      : []),
    ...(secrets.length > 0
      ? [
          `Further \`secrets\` of the app: ${secrets
            .map(
              ([name, { meaning, isRequired }]) =>
                `${code(name)} (${meaning.replace(/\.$/, '')}; ${isRequired ? 'required' : 'optional'})`,
            )
            .join(', ')}.`,
        ]
      : []),
    ...(settings.length > 0
      ? [
          `\`settings\` of the app of the vendor: ${settings
            .map(([name, setting]) => `${code(name)} (${settingText(setting)})`)
            .join(', ')}.`,
        ]
      : []),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  )
}

type Setting = NonNullable<Connector['appSettings']>[string]

function settingText({ meaning, isRequired, default: value }: Setting): string {
  const state = value === undefined ? (isRequired ? 'required' : 'optional') : code(value)
  return `${meaning.replace(/\.$/, '')}; ${state}`
}

function regionsOf({ auth }: Connector): string {
  const regions = regionNames(auth)
  return regions.length === 0 ? '' : `, in one of the regions ${codeList(regions)}`
}

function newsOf({ push, pollMinutes = 15, slug }: Connector): string {
  const poll = `polled every ${pollMinutes} minutes`
  if (push === undefined) return poll
  const isSubscribed = push.subscribe !== undefined || push.subscribeUser !== undefined
  const how = isSubscribed
    ? 'Salus subscribes to them'
    : `register the push address that \`salus providers check ${slug}\` prints`
  const unsigned =
    push.verify === undefined ? '; they are not signed, so the address is secret' : ''
  const rarely = findProvider(slug)?.mode === 'push' ? ', and polls rarely' : `, and ${poll}`
  return `messages of the vendor (${how}${unsigned})${rarely}`
}

function resourceTable({ resources }: Provider, { collections, scopes }: Connector): string {
  const rows = resources.map((resource) => {
    const names = collections.filter((one) => one.resources.includes(resource))
    const { required = [], optional = [] } = scopes?.[resource] ?? {}
    const needed = [
      ...(required.length > 0 ? [codeList(required)] : []),
      ...(optional.length > 0 ? [`optionally ${codeList(optional)}`] : []),
    ]
    return [code(resource), codeList(names.map(({ name }) => name)), needed.join(', ') || '–']
  })
  return markdownTable(['Resource', 'Collections', 'Scopes'], rows)
}

function resourcesCell(resources: readonly string[]): string {
  const isEverySeries = SERIES.every(({ resource }) => resources.includes(resource))
  if (!isEverySeries) return codeList(resources)
  const series = new Set(SERIES.map(({ resource }) => resource))
  const others = resources.filter((resource) => !series.has(resource))
  return `every series, and ${codeList(others)}`
}
