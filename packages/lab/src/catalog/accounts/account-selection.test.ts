import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createCatalogApp } from '../../../../server/test/catalog/catalog-app.ts'
import { makeLab, makeLabAccount } from '../../../../server/test/catalog/catalog-fixture.ts'
import { rowScope } from '../../../../server/test/scope.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { type AccountPurpose, checkBilling, selectLabAccount } from './account-selection.ts'
import type { LabAccountRow } from './lab-accounts.global.repository.ts'

type Status = LabAccountRow['status']

const app = useFixture(createCatalogApp)

interface Situation {
  /** Statuses of accounts that list the team. */
  linked: Status[]
  platform?: Status
  /** Index of the linked account that the request names; without it, Salus chooses. */
  named?: number
  purpose?: AccountPurpose
}

let labs = 0

/** `linked 0`, `platform`, or the slug of the refusal. */
async function choose({ linked, platform, named, purpose = 'create' }: Situation): Promise<string> {
  const { db, team } = app
  const labId = await makeLab(db, `lab-${labs++}`)
  const ids: string[] = []
  for (const status of linked) {
    const owner = { organization_id: team.sandbox.organizationId, team_id_allowlist: [team.id] }
    ids.push(await makeLabAccount(db, labId, { status, ...owner }))
  }
  const ofAll = platform && (await makeLabAccount(db, labId, { status: platform }))
  const labAccountId = named === undefined ? null : (ids[named] ?? null)
  const wish = { labId, labAccountId, purpose }
  const chosen = await selectLabAccount(rowScope(db, team.sandbox), wish).catch(
    (error) => error.errorType,
  )
  if (typeof chosen === 'string') return chosen
  return chosen.id === ofAll ? 'platform' : `linked ${ids.indexOf(chosen.id)}`
}

const CASES: [string, Situation, string][] = [
  ['no account at all', { linked: [] }, 'lab_account_unavailable'],
  ['only the platform account', { linked: [], platform: 'active' }, 'platform'],
  ['a platform account at rest', { linked: [], platform: 'pending' }, 'lab_account_unavailable'],
  ['one active account', { linked: ['active'] }, 'linked 0'],
  [
    'an own account before the platform one',
    { linked: ['active'], platform: 'active' },
    'linked 0',
  ],
  ['one active among others', { linked: ['pending', 'active', 'suspended'] }, 'linked 1'],
  ['several active accounts', { linked: ['active', 'active'] }, 'lab_account_ambiguous'],
  ['several, one of them named', { linked: ['active', 'active'], named: 1 }, 'linked 1'],
  [
    'none active, and no falling back',
    { linked: ['pending', 'ready_to_launch'], platform: 'active' },
    'lab_account_unavailable',
  ],
  ['a named pending one', { linked: ['pending'], named: 0 }, 'lab_account_invalid'],
  ['a named ready one', { linked: ['ready_to_launch'], named: 0 }, 'lab_account_invalid'],
  ['a named suspended one', { linked: ['suspended'], named: 0 }, 'lab_account_invalid'],
  ['an import by a pending one', { linked: ['pending'], named: 0, purpose: 'import' }, 'linked 0'],
  [
    'an import by a ready one',
    { linked: ['ready_to_launch'], named: 0, purpose: 'import' },
    'linked 0',
  ],
  [
    'an import by a suspended one',
    { linked: ['suspended'], named: 0, purpose: 'import' },
    'lab_account_invalid',
  ],
  [
    'an import that names none of its pending ones',
    { linked: ['pending'], purpose: 'import' },
    'lab_account_unavailable',
  ],
]

describe('the account of an order', () => {
  for (const [name, situation, expected] of CASES) {
    test(`${name}: ${expected}`, async () => assert.equal(await choose(situation), expected))
  }

  const select = (labId: number, labAccountId: string, providerIds: string[] = []) => {
    const markers = providerIds.map((id) => ({ provider_id: id }))
    const wish = { labId, labAccountId, purpose: 'create' as const, markers }
    return selectLabAccount(rowScope(app.db, app.team.sandbox), wish)
  }

  test('may not be one of another team, of another lab, or an unknown one', async () => {
    const { db } = app
    const [labId, otherLabId] = [await makeLab(db, 'here'), await makeLab(db, 'elsewhere')]
    const stranger = await app.makeTeam()
    const owner = { organization_id: stranger.sandbox.organizationId }
    const theirs = await makeLabAccount(db, labId, { ...owner, team_id_allowlist: [stranger.id] })
    const elsewhere = await makeLabAccount(db, otherLabId)
    const invalid = { status: 400, errorType: 'lab_account_invalid' }
    await assert.rejects(select(labId, theirs), invalid)
    await assert.rejects(select(labId, elsewhere), invalid)
    await assert.rejects(select(labId, newId()), invalid)
  })

  test('may be the platform account by name, in either case', async () => {
    const labId = await makeLab(app.db, 'named-platform')
    const id = await makeLabAccount(app.db, labId)
    assert.equal((await select(labId, id.toUpperCase())).id, id)
  })

  test('must offer what is ordered', async () => {
    const labId = await makeLab(app.db, 'offering')
    const id = await makeLabAccount(app.db, labId, { offered_provider_ids: ['A', 'B'] })
    assert.equal((await select(labId, id, ['A'])).id, id)
    await assert.rejects(select(labId, id, ['A', 'C']), { errorType: 'lab_account_invalid' })
  })
})

describe('billing', () => {
  const account = { allowed_billing: { client_bill: ['AZ', 'CA'], patient_bill: [] } }

  test('is allowed by type and state, in either case', () => {
    assert.doesNotThrow(() => checkBilling(account, 'client_bill', 'AZ'))
    assert.doesNotThrow(() => checkBilling(account, 'client_bill', 'ca'))
  })

  test('is refused in other states and for types that are not listed', () => {
    const refusal = { status: 400, errorType: 'billing_not_allowed' }
    assert.throws(() => checkBilling(account, 'client_bill', 'NY'), refusal)
    assert.throws(() => checkBilling(account, 'patient_bill', 'AZ'), refusal)
    assert.throws(() => checkBilling(account, 'commercial_insurance', 'AZ'), refusal)
  })
})
