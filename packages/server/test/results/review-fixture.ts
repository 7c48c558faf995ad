import assert from 'node:assert/strict'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { Answer } from '../harness.ts'
import { importOrder, type OrderSelection, PATIENT, reportOf } from './lipid-reports.ts'
import type { ResultsFixture, ToldEvent } from './results-fixture.ts'

export type Person = typeof PATIENT

/** What tests of the review queue do again and again. */
export interface ReviewFixture {
  /** Someone whom no other test of the file knows. */
  someone(): Person
  newOrder(person: Person, wish?: Partial<OrderSelection>): Promise<Answer['body']>
  /** A report of the person, of a sample that is not known unless the order is given. */
  report(
    person: Person,
    order: { sample_id: string } | null,
    more?: Partial<ResultMessage>,
  ): ResultMessage
  /** Takes a report that must be held, and answers what the queue shows of it. */
  hold(report: ResultMessage, labSlug?: string): Promise<Answer['body']>
  show(id: string): Promise<Answer['body']>
  order(id: string): Promise<Answer['body']>
  accept(id: string, body?: object): Promise<Answer>
  resolve(id: string, action: string, note?: string): Promise<Answer>
  undo(id: string): Promise<Answer>
  /** The last event about reviews. */
  lastEvent(): Promise<ToldEvent | undefined>
}

export function createReviewFixture(fixture: ResultsFixture): ReviewFixture {
  let born = 0
  const get = async (url: string) => (await fixture.call('GET', url)).body
  const post = (id: string, what: string, body?: object) =>
    fixture.call('POST', `/v3/unmatched_result/${id}/${what}`, body)
  return {
    someone() {
      born += 1
      const dob = new Date(Date.UTC(1950, 0, born)).toISOString().slice(0, 10)
      return { ...PATIENT, dob }
    },
    newOrder: async (patient, wish = {}) =>
      importOrder(fixture, { userId: wish.userId ?? (await fixture.makeUser()), patient, ...wish }),
    report: (person, order, more = {}) =>
      reportOf(order, {
        patient: {
          first_name: person.first_name,
          last_name: person.last_name,
          dob: person.dob,
          gender: person.gender,
          patient_id: null,
        },
        ...more,
      }),
    async hold(report, labSlug = 'quest') {
      fixture.clock.advance(1)
      assert.deepEqual(await fixture.take({ message: report, labSlug }), {
        state: 'held',
        orderId: null,
      })
      const { data } = await get('/v3/unmatched_result?limit=1')
      return data[0]
    },
    show: (id) => get(`/v3/unmatched_result/${id}`),
    order: (id) => get(`/v3/order/${id}`),
    accept: (id, body) => post(id, 'accept', body),
    resolve: (id, action, note) => post(id, 'resolve', { action, ...(note && { note }) }),
    undo: (id) => post(id, 'undo'),
    lastEvent: async () => (await fixture.events(/match_review/)).at(-1),
  }
}
