import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuthType } from '@salus/contracts/providers'
import { findProvider } from '@salus/contracts/providers'
import { type SeriesName, series as seriesOf } from '@salus/contracts/series'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { NO_CONTEXT } from '../../../server/test/connectors/no-context.ts'
import { VENDOR_PAGES } from '../../../server/test/connectors/vendor-pages.registry.ts'
import { readSourceFiles } from '../../../server/test/source-files.ts'
import type { Connector } from './connector.ts'
import { createConnectors } from './connectors.registry.ts'
import { PageData } from './page-data.ts'
import { vendorUrl } from './vendor-client.ts'

/** Every connector matches the table of providers. */

const agent = createOutboundAgent({ allowPrivate: false })
const connectors = createConnectors({
  agent,
  sandboxAgent: agent,
  sandboxUrl: () => 'http://127.0.0.1:1234',
})

const AUTH_TYPES: Record<Connector['auth']['kind'], readonly AuthType[]> = {
  oauth: ['oauth', 'team_oauth'],
  password: ['password'],
  email: ['email'],
}
const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 8) }
const REQUEST = { range: RANGE, cursor: null, context: NO_CONTEXT }

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

test('a slug leads to its connector, and a sandbox to the emulated vendor', () => {
  for (const connector of connectors.all) {
    assert.equal(connectors.find(connector.slug), connector)
    const real = connectors.addressOf(connector, { kind: 'production' })
    assert.deepEqual(real.hosts, connector.hosts)
    for (const [name, host] of Object.entries(connector.hosts)) {
      assert.match(host, /^https:\/\/[a-z0-9.-]+(:\d+)?$/)
      const { hosts } = connectors.addressOf(connector, { kind: 'sandbox' })
      const path = `/sandbox/providers/${connector.slug}/${name}`
      assert.equal(hosts[name], `http://127.0.0.1:1234${path}`)
      const seen = connectors.publicHostsOf(connector, { kind: 'sandbox' }, 'https://salus.example')
      assert.equal(seen[name], `https://salus.example${path}`)
    }
  }
  assert.equal(connectors.find('constructor'), undefined)
})

for (const connector of connectors.all) {
  const { slug, auth, collections, budgets, push, scopes } = connector
  const provider = findProvider(slug)

  describe(slug, () => {
    test('is a provider, and people sign in as its table says', () => {
      assert.ok(provider !== undefined)
      assert.ok(AUTH_TYPES[auth.kind].includes(provider.authType))
      const endpoints =
        auth.kind === 'oauth'
          ? [auth.authorizationEndpoint, auth.tokenEndpoint, auth.revocationEndpoint]
          : []
      for (const endpoint of endpoints) {
        if (endpoint !== undefined) assert.ok(Object.hasOwn(connector.hosts, endpoint.host))
      }
    })

    test('brings every resource that is promised, and no other', () => {
      assert.deepEqual(
        sorted(collections.flatMap(({ resources }) => resources)),
        sorted(provider?.resources ?? []),
      )
      assert.equal(new Set(collections.map(({ name }) => name)).size, collections.length)
    })

    test('needs scopes for its resources that it asks for', () => {
      if (scopes === undefined) {
        assert.deepEqual(auth.kind === 'oauth' ? auth.scopes : [], [])
        return
      }
      assert.ok(auth.kind === 'oauth')
      assert.deepEqual(sorted(Object.keys(scopes)), sorted(provider?.resources ?? []))
      const named = Object.values(scopes).flatMap(({ required, optional }) => [
        ...required,
        ...optional,
      ])
      assert.deepEqual(sorted(named), sorted(auth.scopes))
    })

    test('receives messages where the table says that the vendor pushes', () => {
      const isPushed = provider?.mode === 'push' || provider?.mode === 'hybrid'
      assert.equal(push !== undefined, isPushed)
    })

    test('has the rate limits of the vendor', () => {
      assert.ok(budgets.length > 0)
      for (const { requests, seconds } of budgets) assert.ok(requests > 0 && seconds > 0)
    })

    for (const collection of collections) {
      const { name, history, mostDaysAtOnce, overlapHours } = collection

      test(`${name} is requested page by page to the last one`, () => {
        const first = collection.page(RANGE, null, NO_CONTEXT)
        assert.doesNotThrow(() => new URL(vendorUrl(connector.hosts, first)))
        assert.ok(first.path.startsWith('/'))
        const { records = [], page = () => null } = VENDOR_PAGES[slug]?.[name] ?? {}
        assert.ok(records.length > 0, 'a page of it is tried')
        let cursor: string | null = null
        for (let pages = 0; pages < 10; pages++) {
          cursor = collection.next(page(records), { range: RANGE, cursor, context: NO_CONTEXT })
          if (cursor === null) break
        }
        assert.equal(cursor, null)
        for (const odd of [null, undefined, 1, 'x', [], {}, { data: 7, next_token: 7 }]) {
          assert.equal(collection.next(odd, REQUEST), null)
        }
        const next = JSON.stringify(collection.page(RANGE, 'cursor-1', NO_CONTEXT))
        // A vendor that answers in one page has no cursor to read.
        const isPaged = history === 'by_range' && collection.next.length > 0
        if (isPaged) assert.match(next, /cursor-1/)
        assert.ok(mostDaysAtOnce >= 1 && overlapHours >= 0)
      })

      test(`${name} brings its resources, and nothing of a good page is quarantined`, () => {
        const { records = [], page = () => null, details = [] } = VENDOR_PAGES[slug]?.[name] ?? {}
        const data = new PageData({ userId: 'u', provider: slug })
        collection.map(page(records), data, details, REQUEST)
        assert.deepEqual(data.quarantined, [])
        const brought = [
          // A series may have another name than its resource.
          ...data.samples.map(({ series }) => seriesOf(series as SeriesName).resource),
          ...data.summaries.map(({ resource }) => resource),
          ...data.summaries
            .filter(({ values }) => 'stage_type' in values && [values.stage_type].flat().length > 0)
            .map(() => 'sleep_cycle'),
          ...[...data.streams.keys()].map(() => 'workout_stream'),
          ...(data.toArrivedData().devices ?? []).map(() => 'device'),
        ]
        assert.deepEqual(sorted(brought), sorted(collection.resources))
      })
    }
  })
}

test('a connector imports the interface, the kernel, and what is in its own folder', () => {
  const INTERFACE =
    /^\.\.\/(connector|vendor-client|vendor-browser|renewed-tokens|vendor-records|vendor-times|vendor-values|page-data|vendor-json|workout-points|meal-values|whoop-sports|fit-file)\.ts$/
  const folder = 'packages/health/src/connectors'
  const breaches = readSourceFiles(`${folder}/*/**/*.ts`)
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, lines }) =>
      [...lines.join('\n').matchAll(/from '((?:\.|@salus)[^']+)'/g)]
        .map(([, to = '']) => to)
        .filter((to) => {
          const isOwn = /^\.\/[^/]+\.ts$/.test(to)
          const isKernel = to.startsWith('@salus/kernel/') || to === '@salus/contracts/time-units'
          return !isOwn && !isKernel && !INTERFACE.test(to)
        })
        .map((to) => `${path} → ${to}`),
    )
  assert.deepEqual(breaches, [])
})
