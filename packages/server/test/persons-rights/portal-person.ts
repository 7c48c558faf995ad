import assert from 'node:assert/strict'
import { importOrder, reported, reportOf } from '../results/lipid-reports.ts'
import type { ResultsFixture } from '../results/results-fixture.ts'
import { openPortal } from './portal-subject.ts'

/** A person with steps and heart rates of today, and the session of their page. */
export async function makePerson(
  salus: ResultsFixture,
): Promise<{ userId: string; token: string }> {
  const userId = await salus.makeUser()
  const samples = ['2026-02-27', '2026-03-01'].map((day, index) => ({
    start_date: `${day}T08:00:00Z`,
    end_date: `${day}T08:30:00Z`,
    value: 1000 * (index + 1),
    unit: 'count',
  }))
  await salus.call('POST', '/v2/link/provider/manual/manual', { user_id: userId })
  for (const series of ['steps', 'heartrate']) {
    const data = samples.map((sample) => ({
      ...sample,
      ...(series === 'heartrate' && { unit: 'bpm', value: 60 }),
      type: 'phone',
    }))
    const body = { stage: 'daily', provider: 'manual', data }
    const answer = await salus.call('POST', `/v2/timeseries/${userId}/${series}`, body)
    assert.equal(answer.status, 200, answer.text)
  }
  return { userId, token: await openPortal(salus, userId) }
}

/** Adds results of an order, one above its range and one with a comparator; @returns its id */
export async function addResults(salus: ResultsFixture, userId: string): Promise<string> {
  const order = await importOrder(salus, { userId })
  const results = [reported('glucose', '300'), reported('cholesterol', '<100')]
  await salus.take({ message: reportOf(order, { results }), labSlug: 'quest' })
  return order.id
}
