import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createManagementAuthentication } from '@salus/accounts/teams'
import type { NpiRegistry } from '@salus/contracts/lab-partners'
import { isNpi } from '@salus/kernel/check-digits'
import type { App } from '@salus/kernel/http/app-types'
import { createLogger } from '@salus/kernel/log'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { request } from '@salus/kernel/outbound/request'
import { createNppesRegistry } from '@salus/lab-partners'
import { PartnerEmulator } from '@salus/sandbox/partners'
import type { FastifyInstance } from 'fastify'
import { createTestDatabase, type TestDatabase } from '../../../../server/test/database.ts'
import {
  buildTeamsApp,
  makeOrganization,
  makeTeam,
  makeTeamAdmin,
  send,
  TestClock,
  type TestOrganization,
} from '../../../../server/test/teams-app.ts'
import { registerCatalogImportRoutes } from './catalog.routes.ts'
import { bundleCatalog, readCatalogFiles } from './catalog-files.ts'
import { STARTING_CATALOG } from './catalog-loading.service.ts'

let database: TestDatabase
let app: FastifyInstance
let organization: TestOrganization
const noPartners = { npiRegistry: undefined, eligibility: undefined, scheduling: [], couriers: [] }
const emulator = new PartnerEmulator({ clock: new TestClock() })
let registry: NpiRegistry | undefined
const partners = {
  sandbox: noPartners,
  get production() {
    return { ...noPartners, npiRegistry: registry }
  },
}
const laterClock = new TestClock()
laterClock.advance(60)

before(async () => {
  database = await createTestDatabase()
  const { db, pool } = database
  await pool.query('truncate labs, loincs, physicians, catalog_loads cascade')
  const clock = new TestClock()
  app = buildTeamsApp(db, clock)
  app.register(async (scope) => {
    scope.addHook('onRequest', createManagementAuthentication({ db, aliasesEnabled: false }))
    registerCatalogImportRoutes(scope as unknown as App, {
      db,
      clock,
      log: createLogger('silent'),
      partners,
    })
  })
  organization = await makeOrganization(app, db, clock)
})

after(async () => {
  await app.close()
  await database.close()
})

const put = (payload: object, { key = organization.key, query = '' } = {}) =>
  send(app, {
    method: 'PUT',
    url: `/v1/catalog${query}`,
    headers: { 'x-management-key': key },
    payload,
  })

const shipped = async (): Promise<Record<string, unknown>> =>
  bundleCatalog(await readCatalogFiles(STARTING_CATALOG))

const countMarkers = async (): Promise<number> =>
  (await database.pool.query('select count(*) from markers')).rows[0].count

describe('PUT /v1/catalog', () => {
  it('is for the operator: not for keys of teams, nor for admins of other organizations', async () => {
    const team = await makeTeam(organization)
    for (const bindings of [null, [team]]) {
      const key = await makeTeamAdmin(organization, bindings)
      const { status, body } = await put(await shipped(), { key })
      assert.deepEqual([status, body.detail.error_type], [403, 'role_too_low'])
    }
    const other = await makeOrganization(app, database.db, laterClock)
    const { status, body } = await put(await shipped(), { key: other.key })
    assert.deepEqual([status, body.detail.error_type], [403, 'role_too_low'])
    assert.equal((await put({}, { key: 'mk_nothing' })).status, 401)
    assert.equal(await countMarkers(), 0)
  })

  it('returns every problem with its path', async () => {
    const { status, body } = await put({ labs: [{ slug: 'north' }], orderable: {} })
    assert.equal(status, 400)
    const { error_type: type, problems, problem_count: count } = body.detail
    assert.equal(type, 'catalog_invalid')
    assert.equal(count, problems.length)
    const paths = problems.map(({ path }: { path: string }) => path)
    for (const path of ['labs[0].name', 'labs[0].zipcode', 'orderable']) {
      assert.ok(paths.includes(path), path)
    }
    assert.equal((await put([])).status, 422)
  })

  it('does a dry run, loads, and changes nothing the second time', async () => {
    const tried = await put(await shipped(), { query: '?dry_run=true' })
    assert.deepEqual([tried.status, tried.body.dry_run], [200, true])
    assert.equal(await countMarkers(), 0)
    const loaded = await put(await shipped())
    assert.deepEqual([loaded.status, loaded.body.dry_run], [200, false])
    assert.deepEqual(loaded.body.markers, tried.body.markers)
    assert.equal(await countMarkers(), loaded.body.markers.inserted)
    const again = await put(await shipped())
    assert.equal(again.body.markers.unchanged, loaded.body.markers.inserted)
  })

  it('takes catalogs far larger than other bodies may be', async () => {
    const catalog = { ...(await shipped()), notice: 'x'.repeat(8 * 1024 ** 2) }
    assert.equal((await put(catalog, { query: '?dry_run=true' })).status, 200)
  })
})

describe('PUT /v1/catalog with a registry of NPIs', () => {
  const agent = createOutboundAgent({ allowPrivate: true })
  let found: NpiRegistry

  before(async () => {
    const urlOf = await emulator.listen()
    found = createNppesRegistry({ url: urlOf('nppes') }, (wanted) => request(agent, wanted))
    registry = found
  })
  after(async () => {
    registry = undefined
    await agent.destroy()
    await emulator.close()
  })

  /** Completes nine digits, of which the last two determine what the registry has. */
  const npiOf = (digits: string): string =>
    Array.from({ length: 10 }, (_, last) => `${digits}${last}`).find(isNpi) ?? ''
  const withPhysicians = async (...physicians: object[]) => ({
    ...(await shipped()),
    network_physicians: physicians.map((physician) => ({ licensed_states: ['AZ'], ...physician })),
  })

  it('loads physicians whom the registry has, also with small letters, and looks up each once', async () => {
    const npi = npiOf('145678931')
    const { firstName, lastName } = (await found.find(npi)) ?? {}
    const physician = { npi, first_name: firstName, last_name: lastName?.toLowerCase() }
    emulator.calls.length = 0
    assert.equal((await put(await withPhysicians(physician))).status, 200)
    assert.equal((await put(await withPhysicians(physician))).status, 200)
    assert.equal(emulator.calls.length, 1)
  })

  it('refuses numbers that are not issued, deactivated, of an organization or of another name', async () => {
    const physicians = ['145678900', '145678901', '145678902', '145678955'].map((digits) => {
      return { npi: npiOf(digits), first_name: 'Ines', last_name: 'Unlisted' }
    })
    const { status, body } = await put(await withPhysicians(...physicians))
    assert.deepEqual([status, body.detail.error_type], [400, 'catalog_invalid'])
    assert.deepEqual(body.detail.problems, [
      { path: 'network_physicians[0].npi', message: 'The registry has no such NPI.' },
      { path: 'network_physicians[1].npi', message: 'The NPI was deactivated.' },
      { path: 'network_physicians[2].npi', message: 'The NPI is that of an organization.' },
      {
        path: 'network_physicians[3].last_name',
        message: 'The registry has another last name for the NPI.',
      },
    ])
    const { rowCount } = await database.pool.query(
      `select from physicians where last_name = 'Unlisted'`,
    )
    assert.equal(rowCount, 0)
  })

  it('loads nothing while the registry does not answer', async () => {
    emulator.setFault('nppes', { kind: 'rate_limit', times: 1, milliseconds: 9000 })
    const physician = { npi: npiOf('145678977'), first_name: 'Ines', last_name: 'Unlisted' }
    const { status, body } = await put(await withPhysicians(physician))
    assert.deepEqual([status, body.detail.error_type], [502, 'partner_unavailable'])
    assert.equal(body.detail.reason, 'rate_limited')
    assert.equal(body.detail.retry_after_seconds, 9)
  })
})
