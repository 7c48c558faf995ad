import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { AppError } from '@salus/kernel/errors'
import { type Loose, makeCatalog } from '../../../../server/test/catalog/small-catalog.ts'
import { createTestDatabase } from '../../../../server/test/database.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { loadCatalog } from './catalog-loading.service.ts'

const AT = new Date('2026-03-01T12:00:00Z')

const database = useFixture(createTestDatabase)

beforeEach(() => database.pool.query('truncate labs, loincs, physicians, catalog_loads cascade'))

const load = (catalog: unknown) => loadCatalog(database.db, catalog, AT)

async function rowsOf(table: string, order = 'id'): Promise<Loose[]> {
  return (await database.pool.query(`select * from ${table} order by ${order}`)).rows
}

async function problemsOf(catalog: unknown): Promise<Loose> {
  const refused = await load(catalog).then(
    () => assert.fail('it was loaded'),
    (error: AppError) => error,
  )
  assert.ok(refused instanceof AppError)
  assert.deepEqual([refused.status, refused.errorType], [400, 'catalog_invalid'])
  const { problems, problem_count: count } = refused.extra as Loose
  assert.equal(count, problems.length)
  return Object.fromEntries(problems.map((it: Loose) => [it.path, it.message]))
}

const EXPECTED_PROBLEMS = [
  'analytes.signal.loinc',
  'concepts.tsh.questions[1]',
  'concepts.tsh.reflex_results[0]',
  'concepts.tsh.results[1]',
  'lab_accounts[0].allowed_billing.client_bill[0]',
  'lab_accounts[0].allowed_billing.client_bill[1]',
  'lab_accounts[1].provider_account_id',
  'lab_accounts[2].lab',
  'labs[1].slug',
  'loincs[1].code',
  'loincs[2].code',
  'network_physicians[0].npi',
  'orderables.east',
  'orderables.north.result_codes.nothing',
  'orderables.north.tests[10]',
  'orderables.north.tests[1].results[0]',
  'orderables.north.tests[3].provider_id',
  'orderables.north.tests[4].concept',
  'orderables.north.tests[5].results[1]',
  'orderables.north.tests[5].sample_type',
  'orderables.north.tests[6].results',
  'orderables.north.tests[6].sample_type',
  'orderables.north.tests[7].is_orderable',
  'orderables.north.tests[7].reflex_of',
  'orderables.north.tests[8].reflex_of',
  'orderables.north.tests[9].worst_case_tat_days',
  'questions.fasting.answers',
  'questions.fasting.default',
  'questions.volume.answers',
  'questions.volume.default',
]

describe('an invalid catalog', () => {
  it('is refused with the paths of its schema errors', async () => {
    const catalog = makeCatalog()
    catalog.labs[0].state = 'North Dakota'
    catalog.labs[0].adress = '1 North Road'
    catalog.concepts.tsh.sample_type = 'blood'
    catalog.orderables.north.tests[0].price_cents = 12.5
    const problems = await problemsOf(catalog)
    assert.deepEqual(Object.keys(problems).sort(), [
      'concepts.tsh.sample_type',
      'labs[0].adress',
      'labs[0].state',
      'orderables.north.tests[0].price_cents',
    ])
    assert.deepEqual(await rowsOf('labs'), [])
    for (const nothing of [null, [], 'no file', {}]) {
      if (typeof nothing !== 'string') assert.ok(Object.keys(await problemsOf(nothing)).length > 0)
    }
  })

  it('is refused with every broken reference and rule, and nothing is written', async () => {
    const catalog = makeCatalog()
    const { north } = catalog.orderables
    catalog.labs.push({ ...catalog.labs[0] })
    catalog.loincs[1].code = '3024-8'
    catalog.loincs.push({ ...catalog.loincs[0] })
    catalog.analytes.signal.loinc = '2345-7'
    catalog.questions.fasting.answers = []
    catalog.questions.fasting.default = 'Y'
    catalog.questions.volume = {
      ...catalog.questions.fasting,
      type: 'numeric',
      answers: [{ code: 'A', text: 'A' }],
      default: 'much',
    }
    catalog.concepts.tsh.results.push('constructor')
    catalog.concepts.tsh.questions.push('volume')
    north.tests.push(
      { concept: 'tsh', provider_id: '100' },
      { concept: 'nothing', provider_id: '102' },
      { name: 'Saliva', provider_id: '103', sample_type: 'saliva', results: ['tsh', 'tsh'] },
      { name: 'Empty', provider_id: '104' },
      { concept: 'tsh', provider_id: '105', reflex_of: '101', is_orderable: true },
      { concept: 'tsh', provider_id: '106', reflex_of: '999' },
      { concept: 'tsh', provider_id: '107', common_tat_days: 3, worst_case_tat_days: 2 },
      { name: 'signal!', sample_type: 'serum', results: ['signal'] },
    )
    north.result_codes.nothing = 'R9'
    catalog.orderables.east = { tests: [] }
    catalog.lab_accounts.push(
      { ...catalog.lab_accounts[0] },
      { ...catalog.lab_accounts[0], lab: 'west' },
    )
    catalog.lab_accounts[0].allowed_billing = { client_bill: ['all', 'XX'] }
    catalog.network_physicians[0].npi = '1234567890'
    const problems = await problemsOf(catalog)
    assert.deepEqual(Object.keys(problems).sort(), EXPECTED_PROBLEMS)
    assert.match(problems['loincs[1].code'], /check digit/)
    assert.match(problems['analytes.signal.loinc'], /not among the loincs/)
    assert.deepEqual(await rowsOf('labs'), [])
    assert.deepEqual(await rowsOf('loincs'), [])
  })

  it('may not take the account of an organization', async () => {
    const first = makeCatalog()
    await load(first)
    const organization = '6f4c2f3e-0000-4000-8000-000000000002'
    await database.pool.query(
      "insert into organizations (id, name, created_at) values ($1, 'Theirs', now())",
      [organization],
    )
    await database.pool.query('update lab_accounts set organization_id = $1', [organization])
    const paths = Object.keys(await problemsOf(makeCatalog()))
    assert.deepEqual(paths, ['lab_accounts[0].provider_account_id'])
  })
})
