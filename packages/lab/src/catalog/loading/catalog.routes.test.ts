import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createManagementAuthentication } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
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
    registerCatalogImportRoutes(scope as unknown as App, { db, clock })
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
