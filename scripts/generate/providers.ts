import { type AuthType, PROVIDERS, SDK_PROVIDER_SLUGS } from '@salus/contracts/providers'
import { SERIES } from '@salus/contracts/series'
import { CONNECTORS } from '@salus/health/connectors'
import { code, codeList, generatedNotice, joinParts, markdownTable } from './markdown.ts'

const AUTH: Record<AuthType, string> = {
  oauth: 'OAuth',
  team_oauth: "OAuth with the team's own app",
  password: 'user name and password',
  email: 'email invitation',
  sdk: 'none: a mobile app, a meter or the team sends the data',
}

/** Generates docs/providers.md: every provider, and those that this version can connect. */
export function describeProviders(): string {
  const pulled = CONNECTORS.map(({ slug }) => slug)
  const connectable = new Set([...SDK_PROVIDER_SLUGS, ...pulled])
  const rows = PROVIDERS.map(({ slug, name, authType, resources }) => [
    code(slug),
    name,
    AUTH[authType],
    connectable.has(slug) ? '**yes**' : 'not yet',
    resourcesCell(resources),
  ])
  return joinParts(
    generatedNotice('packages/contracts/src/providers/provider.registry.ts'),
    '# Providers',
    `Salus names ${PROVIDERS.length} providers, and this version can connect ${connectable.size} of them. The others are listed because their names are part of the interface.`,
    `The data of ${SDK_PROVIDER_SLUGS.length} providers are sent to Salus: ${codeList(SDK_PROVIDER_SLUGS)}. Connect one with \`POST /v2/link/provider/manual/{slug}\`, then upload samples; [an Apple Health export](apple-health.md) connects \`apple_health_kit\` by itself.`,
    `Salus pulls data from the clouds of ${pulled.length} providers: ${codeList(pulled)}. In a sandbox they are [emulated](sandbox.md) without any setup. In production providers with OAuth or an invitation need an app that the team, or the operator with [SALUS_PROVIDER_APPS](settings.md), registered with the vendor. How another provider is added: [connectors](connectors.md).`,
    '“Resources” lists the data that a provider can have, by the names of [the series](series.md) and of the summaries.',
    markdownTable(
      ['Slug', 'Name', 'How a person grants access', 'Can be connected', 'Resources'],
      rows,
    ),
  )
}

function resourcesCell(resources: readonly string[]): string {
  const isEverySeries = SERIES.every(({ resource }) => resources.includes(resource))
  if (!isEverySeries) return codeList(resources)
  const series = new Set(SERIES.map(({ resource }) => resource))
  const others = resources.filter((resource) => !series.has(resource))
  return `every series, and ${codeList(others)}`
}
