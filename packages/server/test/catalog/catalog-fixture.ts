import { createHash, randomUUID } from 'node:crypto'
import type { Db } from '@salus/kernel/postgres/database'
import type { Insertable } from 'kysely'
import type { Question } from '../../../lab/src/catalog/lab-catalog.schema.ts'
import type {
  LabAccountsTable,
  LabsTable,
  MarkersTable,
} from '../../../lab/src/catalog/lab-catalog.tables.ts'
import { kebabCase } from '../../../lab/src/catalog/lab-tests/new-lab-test.ts'
import { searchTextOf } from '../../../lab/src/catalog/markers/search-text.ts'

/** Rows of a small catalog, for tests of what is built on one. */

export const FIXTURE_AT = new Date('2026-01-01T00:00:00Z')

export async function makeLab(
  db: Db,
  slug: string,
  lab: Partial<Insertable<LabsTable>> = {},
): Promise<number> {
  const { id } = await db
    .insertInto('labs')
    .values({
      slug,
      name: slug.toUpperCase(),
      first_line_address: '1 Laboratory Way',
      city: 'Phoenix',
      state: 'AZ',
      zipcode: '85001',
      collection_methods: ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection'],
      sample_types: ['serum', 'urine'],
      ...lab,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export interface MarkerFixture
  extends Partial<Omit<Insertable<MarkersTable>, 'lab_id' | 'questions'>> {
  name: string
  questions?: Question[]
  /** One expected result a code. */
  loinc_codes?: string[]
  /** Codes of results that are reported only sometimes. */
  sometimes?: string[]
}

const hashOf = (codes: readonly string[], otherwise: string): string =>
  createHash('sha256')
    .update(codes.join() || otherwise)
    .digest('hex')

/** Stores a marker with an expected result for each LOINC code, and returns its id. */
export async function makeMarker(db: Db, labId: number, marker: MarkerFixture): Promise<number> {
  const { questions, sometimes = [], ...given } = marker
  const loincCodes = [...(given.loinc_codes ?? []), ...sometimes].sort()
  const aliases = given.aliases ?? []
  const providerId = given.provider_id ?? null
  const search = { name: given.name, aliases, provider_id: providerId, loinc_codes: loincCodes }
  const { id } = await db
    .insertInto('markers')
    .values({
      lab_id: labId,
      slug: kebabCase(given.name),
      type: loincCodes.length > 1 ? 'panel' : 'biomarker',
      sample_type: 'serum',
      price_cents: 1000,
      a_la_carte_enabled: true,
      common_tat_days: 1,
      worst_case_tat_days: 3,
      ...given,
      provider_id: providerId,
      questions: questions === undefined ? (null as never) : JSON.stringify(questions),
      loinc_codes: loincCodes,
      loinc_set_hash: hashOf(loincCodes, `${labId} ${given.name}`),
      search_text: searchTextOf(search),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [index, code] of [...(given.loinc_codes ?? []), ...sometimes].entries()) {
    const loincId = await ensureLoinc(db, code)
    await db
      .insertInto('expected_results')
      .values({
        marker_id: id,
        position: index,
        name: `Result ${code}`,
        slug: `result-${code}`,
        provider_id: `R${code}`,
        required: !sometimes.includes(code),
        unit: 'mg/dL',
        loinc_id: loincId,
      })
      .execute()
  }
  return id
}

async function ensureLoinc(db: Db, code: string): Promise<number> {
  const { id } = await db
    .insertInto('loincs')
    .values({ code, name: `Long name of ${code}`, slug: `loinc-${code}`, component: `C${code}` })
    .onConflict((conflict) => conflict.column('code').doUpdateSet({ code }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** An account that allows client billing in Arizona, of the installation by default. */
export async function makeLabAccount(
  db: Db,
  labId: number,
  account: Partial<Omit<Insertable<LabAccountsTable>, 'lab_id'>> = {},
): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('lab_accounts')
    .values({
      id,
      lab_id: labId,
      organization_id: null,
      status: 'active',
      delegated_flow: 'not_delegated',
      provider_account_id: id.slice(0, 8),
      account_name: null,
      default_clinical_notes: null,
      business_units: null,
      allowed_billing: JSON.stringify({ client_bill: ['AZ'] }),
      team_id_allowlist: [],
      offered_provider_ids: null,
      created_at: FIXTURE_AT,
      ...account,
    })
    .execute()
  return id
}

export function question(given: Partial<Question> & { id: number }): Question {
  return {
    required: true,
    code: `Q${given.id}`,
    value: `Question ${given.id}?`,
    type: 'text',
    sequence: given.id,
    answers: [],
    constraint: null,
    default: null,
    ...given,
  }
}
