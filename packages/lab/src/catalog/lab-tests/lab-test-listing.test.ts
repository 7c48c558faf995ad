import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { newId } from '@salus/kernel/ids'
import fc from 'fast-check'
import { type CatalogTeam, createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import {
  makeLab,
  makeLabAccount,
  makeMarker,
} from '../../../../server/test/catalog/catalog-fixture.ts'
import { rowScope } from '../../../../server/test/scope.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { LabTest } from '../lab-catalog.schema.ts'
import { insertLabTest } from './lab-tests.repository.ts'

const COUNT = 60

const app = useFixture(createCatalogApp)
let lab: { quest: number; labcorp: number }
let marker: { tsh: number; lipid: number; theirs: number }
let account: { quest: string; onlyTsh: string }

before(async () => {
  const { db } = app
  lab = { quest: await makeLab(db, 'quest'), labcorp: await makeLab(db, 'labcorp') }
  marker = {
    tsh: await makeMarker(db, lab.quest, { name: 'TSH', provider_id: 'T', price_cents: null }),
    lipid: await makeMarker(db, lab.quest, { name: 'Lipids', provider_id: 'L' }),
    theirs: await makeMarker(db, lab.labcorp, { name: 'TSH', provider_id: 'T' }),
  }
  account = {
    quest: await makeLabAccount(db, lab.quest),
    onlyTsh: await makeLabAccount(db, lab.quest, { offered_provider_ids: ['T'] }),
  }
})

interface Given {
  name?: string
  price?: number
  minute?: number
  changedMinute?: number
  markers?: number[]
  more?: object
}

const START = Date.parse('2026-01-01T00:00:00Z')
const minuteToDate = (minute: number) => new Date(START + minute * MINUTE_MS)

/** Stores a test in the production environment, which does not create tests itself. */
async function store(team: CatalogTeam, given: Given = {}): Promise<string> {
  const { minute = 0, price = 0, markers = [marker.tsh] } = given
  const id = newId()
  const { id: environmentId } = team.production
  const row = {
    id,
    lab_id: markers[0] === marker.theirs ? lab.labcorp : lab.quest,
    slug: 'slug',
    name: given.name ?? 'A test',
    description: '',
    method: 'walk_in_test' as const,
    sample_type: 'serum' as const,
    price_cents: price,
    status: 'active' as const,
    fasting: false,
    auto_generated: false,
    combination: null,
    created_at: minuteToDate(minute),
    updated_at: minuteToDate(given.changedMinute ?? minute),
    ...given.more,
  }
  await insertLabTest(rowScope(app.db, { id: environmentId }), row, markers)
  return id
}

const list = async (team: CatalogTeam, query = '') => {
  const answer = await team.callProduction('GET', `/v3/lab_test${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const idsOf = (tests: LabTest[]) => tests.map(({ id }) => id)

describe('pages of GET /v3/lab_test', () => {
  test('contain every test once, in the requested order', async () => {
    const team = await app.makeTeam()
    const tests = Array.from({ length: COUNT }, (_, index) => ({
      // Few different values, so that many tests share a rank.
      price: (index * 7) % 5,
      minute: (index * 11) % 6,
      changedMinute: (index * 13) % 4,
    }))
    const stored: ((typeof tests)[number] & { id: string })[] = []
    for (const given of tests) stored.push({ ...given, id: await store(team, given) })
    // A time between two milliseconds, which a Date cannot hold.
    await app.db
      .updateTable('lab_tests')
      .set({ created_at: '2026-01-01T00:00:00.000500Z' as unknown as Date })
      .where('id', '=', stored[0]?.id ?? '')
      .execute()
    const rankOf = {
      price: (it: Given) => it.price ?? 0,
      created_at: (it: Given) => (it === stored[0] ? 0.00001 : 0) + (it.minute ?? 0),
      updated_at: (it: Given) => it.changedMinute ?? 0,
    }
    const arbitrary = fc.record({
      key: fc.constantFrom('price' as const, 'created_at' as const, 'updated_at' as const),
      direction: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 25 }),
    })
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ key, direction, limit }) => {
        const query = `?order_key=${key}&order_direction=${direction}&lab_test_limit=${limit}`
        const listed: string[] = []
        for (let cursor = ''; ; ) {
          const page = await list(team, `${query}${cursor}`)
          assert.ok(page.data.length <= limit)
          listed.push(...idsOf(page.data))
          if (page.next_cursor === null) break
          assert.equal(page.data.length, limit)
          cursor = `&next_cursor=${page.next_cursor}`
        }
        const rank = rankOf[key]
        const sorted = stored.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
        const expected = idsOf(sorted as unknown as LabTest[])
        assert.deepEqual(listed, direction === 'asc' ? expected : expected.reverse())
      }),
      { numRuns: 12, seed: 20260301 },
    )
  })

  test('are sorted by creation, oldest first, with 50 tests by default', async () => {
    const team = await app.makeTeam()
    for (let minute = 51; minute > 0; minute--) await store(team, { minute })
    const { data, next_cursor } = await list(team)
    assert.equal(data.length, 50)
    const next = await list(team, `?next_cursor=${next_cursor}`)
    assert.deepEqual([next.data.length, next.next_cursor], [1, null])
    const all = await team.callProduction('GET', '/v3/lab_tests')
    assert.equal(all.headers.deprecation, 'true')
    assert.deepEqual(all.body, [...data, ...next.data])
  })

  test('need a cursor of the same filters and environment', async () => {
    const team = await app.makeTeam()
    for (const minute of [1, 2]) await store(team, { minute })
    const { next_cursor: cursor } = await list(team, '?lab_test_limit=1')
    const forged = Buffer.from(JSON.stringify(['x', 1, newId()])).toString('base64url')
    for (const [who, query] of [
      [team, '?next_cursor=nonsense'],
      [team, `?next_cursor=${forged}`],
      [team, `?next_cursor=${cursor}&order_key=price`],
      [team, `?next_cursor=${cursor}&order_direction=desc`],
      [team, `?next_cursor=${cursor}&name=x`],
      [await app.makeTeam(), `?next_cursor=${cursor}`],
    ] as const) {
      const answer = await who.callProduction('GET', `/v3/lab_test${query}`)
      assert.equal(answer.status, 400, query)
      assert.equal(answer.body.detail.error_type, 'invalid_cursor')
    }
    // The page size and the included data may change between pages.
    const rest = `?next_cursor=${cursor}&lab_test_limit=9&include_pricing=true`
    assert.equal((await list(team, rest)).data.length, 1)
  })

  test('hold 1 to 100 tests', async () => {
    for (const query of ['?lab_test_limit=0', '?lab_test_limit=101', '?order_key=name']) {
      const answer = await app.team.callProduction('GET', `/v3/lab_test${query}`)
      assert.equal(answer.status, 422, query)
    }
  })
})

describe('filters of lab tests', () => {
  let team: CatalogTeam
  let both: string
  let tsh: string
  let theirs: string
  let generated: string

  before(async () => {
    team = await app.makeTeam()
    both = await store(team, {
      name: 'Thyroid 50%_\\',
      minute: 1,
      markers: [marker.tsh, marker.lipid],
    })
    tsh = await store(team, { minute: 2, more: { status: 'inactive' } })
    const method = { method: 'at_home_phlebotomy' }
    theirs = await store(team, { minute: 3, markers: [marker.theirs], more: method })
    generated = await store(team, { minute: 4, more: { auto_generated: true } })
  })

  test('narrow both lists', async () => {
    const cases: [string, string[]][] = [
      ['', [both, tsh, theirs]],
      ['generation_method=manual', [both, tsh, theirs]],
      ['generation_method=auto', [generated]],
      ['generation_method=all', [both, tsh, theirs, generated]],
      ['lab_slug=labcorp', [theirs]],
      ['lab_slug=bioreference', []],
      ['collection_method=at_home_phlebotomy', [theirs]],
      ['status=inactive', [tsh]],
      [`marker_ids=${marker.tsh}`, [both, tsh]],
      [`marker_ids=${marker.tsh}&marker_ids=${marker.lipid}`, [both]],
      [`marker_ids=${marker.theirs}&marker_ids=${marker.lipid}`, []],
      ['provider_ids=T', [both, tsh, theirs]],
      ['provider_ids=L&provider_ids=T', [both]],
      ['name=THYROID', [both]],
      ['name=0%25_%5C', [both]],
      ['name=%25', [both]],
      ['name=nothing', []],
      ['order_direction=desc', [theirs, tsh, both]],
      ['order_key=updated_at&order_direction=desc&status=active', [theirs, both]],
    ]
    for (const [query, expected] of cases) {
      assert.deepEqual(idsOf((await list(team, `?${query}`)).data), expected, query)
      const all = await team.callProduction('GET', `/v3/lab_tests?${query}`)
      assert.deepEqual(idsOf(all.body), expected, query)
    }
  })

  test('by account return what the account offers', async () => {
    const byAccount = async (id: string) => idsOf((await list(team, `?lab_account_id=${id}`)).data)
    assert.deepEqual(await byAccount(account.quest), [both, tsh])
    assert.deepEqual(await byAccount(account.onlyTsh), [tsh])
    const unknown = await team.callProduction('GET', `/v3/lab_test?lab_account_id=${newId()}`)
    assert.equal(unknown.body.detail.error_type, 'lab_account_invalid')
  })

  test('return lab and markers', async () => {
    const [first] = (await list(team)).data
    assert.equal(first.lab.slug, 'quest')
    assert.deepEqual(
      first.markers.map(({ id }: { id: number }) => id),
      [marker.tsh, marker.lipid],
    )
  })

  test('never show tests of another team', async () => {
    assert.deepEqual((await list(await app.makeTeam())).data, [])
  })
})

describe('prices of lab tests', () => {
  test('are returned on request', async () => {
    const team = await app.makeTeam()
    const priced = await store(team, { price: 2500, minute: 1, markers: [marker.lipid] })
    const unpriced = await store(team, { minute: 2, markers: [marker.tsh] })
    const byHand = await store(team, { price: 100, minute: 3, markers: [marker.tsh] })
    assert.equal((await list(team)).pricing, null)
    const { data, pricing } = await list(team, '?include_pricing=true')
    assert.deepEqual(
      data.map(({ price }: LabTest) => price),
      [25, 0, 1],
    )
    const unknown = { unspecified: 'price_unavailable' }
    const known = (cents: number) => ({ base_amount_minor: cents, modifiers: null })
    assert.deepEqual(pricing, {
      currency: 'USD',
      data: {
        [priced]: { pricing: known(2500), marker_breakdown: { [marker.lipid]: known(1000) } },
        [unpriced]: { pricing: unknown, marker_breakdown: { [marker.tsh]: unknown } },
        [byHand]: { pricing: known(100), marker_breakdown: { [marker.tsh]: unknown } },
      },
    })
  })
})
