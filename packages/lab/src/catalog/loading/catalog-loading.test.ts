import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { type Loose, makeCatalog } from '../../../../server/test/catalog/small-catalog.ts'
import { createTestDatabase } from '../../../../server/test/database.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { loadCatalog, loadStartingCatalog } from './catalog-loading.service.ts'

const AT = new Date('2026-03-01T12:00:00Z')

const database = useFixture(createTestDatabase)

beforeEach(() => database.pool.query('truncate labs, loincs, physicians, catalog_loads cascade'))

const load = (catalog: unknown, options = {}) => loadCatalog(database.db, catalog, AT, options)

async function rowsOf(table: string, order = 'id'): Promise<Loose[]> {
  return (await database.pool.query(`select * from ${table} order by ${order}`)).rows
}

/** Returns everything that a catalog can change. */
async function snapshot(): Promise<Loose> {
  const tables = ['labs', 'loincs', 'markers', 'expected_results', 'lab_accounts', 'physicians']
  const entries = tables.map(async (table) => [table, await rowsOf(table)])
  return Object.fromEntries(await Promise.all(entries))
}

describe('loading a catalog', () => {
  it('writes markers with all data derived from their results', async () => {
    const report = await load(makeCatalog())
    assert.deepEqual(report.markers, { inserted: 3, updated: 0, unchanged: 0 })
    const [tsh, signal, reflex] = await rowsOf('markers')
    assert.equal(tsh.type, 'panel')
    assert.equal(tsh.price_cents, 1250)
    assert.deepEqual(tsh.loinc_codes, ['3016-3', '3024-7'])
    assert.deepEqual(tsh.aliases, ['thyroid', 'TSH'])
    assert.match(tsh.search_text, /^. thyrotropin . thyroid . tsh . 100 . 3016 3 . 3024 7 .$/)
    assert.equal(tsh.questions[0].code, 'FSTING')
    assert.deepEqual([reflex.reflex_of, reflex.is_orderable], [tsh.id, false])
    assert.equal(reflex.type, 'biomarker')
    assert.deepEqual([signal.provider_id, signal.loinc_codes], [null, []])
    const results = await rowsOf('expected_results', 'marker_id, position')
    assert.deepEqual(
      results.map((it) => [it.name, it.provider_id, it.required, it.unit]),
      [
        ['TSH', 'R1', true, 'm[IU]/L'],
        ['Thyroxine (T4) free [Mass/volume] in Serum or Plasma', null, false, null],
        ['Signal', null, true, null],
        ['Thyroxine (T4) free [Mass/volume] in Serum or Plasma', '101', true, null],
      ],
    )
    const [physician] = await rowsOf('physicians')
    assert.equal(physician.licensed_states.length, 51)
  })

  it('changes nothing the second time, in any order of the file', async () => {
    await load(makeCatalog())
    const before = await snapshot()
    const again = makeCatalog()
    again.orderables.north.tests.reverse()
    again.loincs.reverse()
    const report = await load(again)
    assert.deepEqual(await snapshot(), before)
    for (const part of [report.labs, report.loincs, report.markers, report.expected_results]) {
      assert.deepEqual([part.inserted, part.updated], [0, 0])
    }
    assert.equal(report.expected_results.unchanged, 4)
  })

  it('updates in place, and changes the id of a result only with its meaning', async () => {
    await load(makeCatalog())
    const before = await snapshot()
    const changed = makeCatalog()
    changed.labs[0].name = 'North Laboratory'
    changed.analytes.tsh.name = 'TSH, third generation'
    changed.orderables.north.tests[1].results = ['tsh']
    const report = await load(changed)
    assert.deepEqual(report.labs, { inserted: 0, updated: 1, unchanged: 0 })
    const now = await snapshot()
    assert.deepEqual(idsOf(now.markers), idsOf(before.markers))
    const resultOf = (shot: Loose, marker: number, position: number) =>
      shot.expected_results.find(
        (it: Loose) => it.marker_id === before.markers[marker].id && it.position === position,
      )
    assert.equal(resultOf(now, 0, 0).name, 'TSH, third generation')
    assert.equal(resultOf(now, 0, 0).id, resultOf(before, 0, 0).id)
    assert.equal(resultOf(now, 1, 0).id, resultOf(before, 1, 0).id)
    assert.notEqual(resultOf(now, 2, 0).id, resultOf(before, 2, 0).id)
  })

  it('deactivates removed markers and reactivates them under their ids', async () => {
    await load(makeCatalog())
    const before = await rowsOf('markers')
    const less = makeCatalog()
    less.orderables.north.tests.pop()
    assert.equal((await load(less)).deactivated, 1)
    assert.equal((await load(less)).deactivated, 0)
    const active = (await rowsOf('markers')).map((it) => it.is_active)
    assert.deepEqual(active, [true, false, true])
    await load(makeCatalog())
    assert.deepEqual(await rowsOf('markers'), before)
  })

  it('does not change other laboratories', async () => {
    await load(makeCatalog())
    const other = makeCatalog()
    other.labs[0].slug = 'south'
    other.lab_accounts = []
    other.orderables = { south: other.orderables.north }
    assert.equal((await load(other)).deactivated, 0)
    const markers = await rowsOf('markers')
    assert.equal(markers.filter((it) => it.is_active).length, 6)
    assert.equal(markers[0].loinc_set_hash, markers[3].loinc_set_hash)
    assert.notEqual(markers[1].loinc_set_hash, markers[4].loinc_set_hash)
  })

  it('accepts LOINC codes of earlier loads', async () => {
    await load(makeCatalog())
    const { loincs: _, ...rest } = makeCatalog()
    assert.equal((await load(rest)).expected_results.unchanged, 4)
  })

  it('keeps the teams of an account, unless the catalog lists them', async () => {
    await load(makeCatalog())
    const team = '6f4c2f3e-0000-4000-8000-000000000001'
    await database.pool.query('update lab_accounts set team_id_allowlist = $1', [[team]])
    const changed = makeCatalog()
    changed.lab_accounts[0].account_name = 'Ours'
    assert.equal((await load(changed)).lab_accounts.updated, 1)
    const [account] = await rowsOf('lab_accounts')
    assert.deepEqual([account.account_name, account.team_id_allowlist], ['Ours', [team]])
    changed.lab_accounts[0].team_id_allowlist = []
    await load(changed)
    assert.deepEqual((await rowsOf('lab_accounts'))[0].team_id_allowlist, [])
  })

  it('only reports the changes in a dry run', async () => {
    const report = await load(makeCatalog(), { isDryRun: true })
    assert.equal(report.dry_run, true)
    assert.equal(report.markers.inserted, 3)
    assert.deepEqual(await rowsOf('labs'), [])
    assert.deepEqual(await rowsOf('catalog_loads', 'source'), [])
  })

  it('writes nothing when the database refuses the last row', async () => {
    const catalog = makeCatalog()
    catalog.network_physicians[0].first_name = 'a\0b'
    await assert.rejects(load(catalog))
    assert.deepEqual(await rowsOf('labs'), [])
    assert.deepEqual(await rowsOf('markers'), [])
  })
})

const idsOf = (rows: Loose[]) => rows.map(({ id }) => id)

describe('the starting catalog', () => {
  it('is loaded once, and cheaply skipped', async () => {
    const report = await loadStartingCatalog(database.db, AT)
    assert.equal(report?.labs.inserted, 15)
    assert.equal(report?.lab_accounts.inserted, 15)
    assert.equal(await loadStartingCatalog(database.db, AT), undefined)
  })

  it('is loaded again when it changed, without new ids', async () => {
    await loadStartingCatalog(database.db, AT)
    const before = await snapshot()
    await database.pool.query("update catalog_loads set content_hash = '\\x00'")
    await database.pool.query("update markers set name = 'Older name' where provider_id = '70003'")
    const report = await loadStartingCatalog(database.db, AT)
    assert.deepEqual(report?.markers, {
      inserted: 0,
      updated: 1,
      unchanged: before.markers.length - 1,
    })
    assert.deepEqual(await snapshot(), before)
  })

  it("never replaces an operator's catalog", async () => {
    await load(makeCatalog())
    assert.equal(await loadStartingCatalog(database.db, AT), undefined)
    assert.equal((await rowsOf('labs')).length, 1)
  })
})
