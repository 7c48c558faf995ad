import assert from 'node:assert/strict'
import { INSURANCE } from '../insurance/route-cases.ts'
import { allResults, importOrder, reportOf } from '../results/lipid-reports.ts'
import { createResultsFixture, type ResultsFixture } from '../results/results-fixture.ts'
import { USER_INFO } from '../route-cases.ts'
import { type AnyResource, findProblems } from './validate-resource.ts'

export const FHIR = '/fhir/R4'

/** An answer of the interface, whose resources are valid. */
export interface FhirAnswer {
  status: number
  headers: Record<string, unknown>
  body: AnyResource
  /** Matching resources of a Bundle. */
  matches: AnyResource[]
  included: AnyResource[]
}

/** Patients with results, and calls of the interface whose answers are checked. */
export interface FhirFixture extends ResultsFixture {
  /** Sends a GET; each resource of the answer is validated. */
  get(path: string, headers?: object): Promise<FhirAnswer>
  send(method: string, path: string, body?: unknown, headers?: object): Promise<FhirAnswer>
  /** Follows the links of a search, and returns the matches of all pages. */
  getAll(path: string): Promise<{ matches: AnyResource[]; pages: number }>
  /** Creates a patient with demographics. */
  makePatient(info?: object): Promise<string>
  /** Creates an order with final results of the laboratory. */
  makeReport(userId: string, more?: object): Promise<{ id: string; [field: string]: unknown }>
}

export async function createFhirFixture(): Promise<FhirFixture> {
  const fixture = await createResultsFixture()

  async function send(method: string, path: string, body?: unknown, headers: object = {}) {
    const url = path.startsWith('http') ? path.replace(/^https?:\/\/[^/]+/, '') : `${FHIR}/${path}`
    const answer = await fixture.call(method, url, body, headers)
    const entries: AnyResource[] = answer.body?.entry ?? []
    const resources = [answer.body, ...entries.map(({ resource }) => resource)]
    for (const resource of resources) {
      if (resource !== undefined)
        assert.deepEqual(findProblems(resource), [], JSON.stringify(resource))
    }
    const ofMode = (mode: string) =>
      entries.filter(({ search }) => search?.mode === mode).map(({ resource }) => resource)
    const { status, headers: sent } = answer
    return {
      status,
      headers: sent,
      body: answer.body,
      matches: ofMode('match'),
      included: ofMode('include'),
    }
  }

  return {
    ...fixture,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    async getAll(path) {
      const matches: AnyResource[] = []
      let pages = 0
      let next: string | undefined = path
      while (next !== undefined) {
        const answer: FhirAnswer = await send('GET', next)
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        matches.push(...answer.matches)
        pages += 1
        next = answer.body.link.find(({ relation }: AnyResource) => relation === 'next')?.url
      }
      return { matches, pages }
    },
    async makePatient(info = {}) {
      const userId = await fixture.makeUser()
      const answer = await fixture.call('PATCH', `/v2/user/${userId}/info`, {
        ...USER_INFO,
        phone_number: '+15550100199',
        ...info,
      })
      assert.equal(answer.status, 200, answer.text)
      await fixture.call('POST', `/v2/user/${userId}/insurance`, INSURANCE)
      return userId
    },
    async makeReport(userId, more = {}) {
      const order = await importOrder(fixture, { userId })
      fixture.clock.advance(60)
      const message = reportOf(order, { results: allResults(), ...more })
      await fixture.take({ message, labSlug: 'quest' })
      return order
    },
  }
}
