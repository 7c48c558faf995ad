import { drawDocument } from '../../../lab-report-parser/synthetic/document.ts'
import { failMessage } from '../../../server/test/lab-connections/route-cases.ts'
import { makeStuckOrder } from '../../../server/test/lab-subject.ts'
import { followJob, type Part, sendParts } from '../../../server/test/reports/report-client.ts'
import type { ConsoleSite } from './console-site.ts'

/** Makes what reviewers decide about, as laboratories and people would. */
export function createReviewData(site: ConsoleSite) {
  const { harness, teamId, users } = site
  let key: Promise<string> | undefined
  const call: typeof harness.call = async (method, url, body, headers = {}) => {
    key ??= site
      .manage('POST', '/team_api_keys/sandbox/us', { label: 'reviews', team_id: teamId })
      .then(({ value }) => value)
    return harness.call(method, url, body, { 'x-service-api-key': await key, ...headers })
  }
  return {
    /** Uploads a report of Hannah and has it read; for Omar it is one of another person. */
    async makeReport(content: Buffer, isReviewed: boolean, person: 'hannah' | 'omar' = 'hannah') {
      const userId = person === 'omar' ? users.omar : await makeHannah(site)
      const parts: Part[] = [
        ['user_id', userId],
        ['needs_human_review', String(isReviewed)],
        ['file', content, 'application/pdf'],
      ]
      const sent = await sendParts({ call }, parts)
      if (sent.status !== 200) throw new Error(sent.text)
      return followJob({ call }, sent.body.id)
    },
    /** Has a result come that is held. Returns its id. */
    async makeHeld(testCase: string): Promise<string> {
      const { body: tests } = await call('GET', '/v3/lab_tests?collection_method=walk_in_test')
      const body = { case: testCase, order_source: 'managed', lab_test_id: tests[0].id }
      const headers = { 'x-idempotency-key': `${testCase} ${Date.now()}` }
      const { body: started, text } = await call('POST', RUNS, body, headers)
      if (started.run_id === undefined) throw new Error(text)
      for (const end = Date.now() + PATIENCE_MS; ; ) {
        const { body: run, text: answer } = await call('GET', `${RUNS}/${started.run_id}`)
        if (run.status === 'succeeded') return run.raw_result_id
        if (run.status === 'failed' || Date.now() > end) throw new Error(answer)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    makeStuckOrder: async () => {
      await call('GET', '/v3/lab_tests/labs')
      const orderId = await makeStuckOrder(harness, (await key) ?? '')
      // The jobs that run here hand it over all the same; only then can it be given up for good.
      const { pool } = harness.database
      const isHandedOver = 'select 1 from orders where id = $1 and dispatched_at is not null'
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
        if ((await pool.query(isHandedOver, [orderId])).rowCount === 1) break
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      const givenUp = `update orders set dispatched_at = null, dispatch_failed_at = now(),
        dispatch_problem = 'not_reached' where id = $1`
      await pool.query(givenUp, [orderId])
      return orderId
    },
    failMessage: () => failMessage(harness, teamId),
  }
}

/** Whose report `drawReport(6)` is. Made once. @returns the id */
export async function makeHannah({ ask }: ConsoleSite): Promise<string> {
  const known = await ask('POST', '/v2/user/search', { query: 'reviewed-hannah' })
  if (known.users.length > 0) return known.users[0].user_id
  const { user_id: id } = await ask('POST', '/v2/user', { client_user_id: 'reviewed-hannah' })
  await ask('PATCH', `/v2/user/${id}/info`, {
    first_name: 'Hannah',
    last_name: 'Whitfield',
    dob: '1979-05-20',
    gender: 'female',
    email: 'hannah@example.com',
    phone_number: '+15550100142',
    address: {
      first_line: '3 Cedar Street',
      city: 'Phoenix',
      state: 'AZ',
      zip: '85004',
      country: 'US',
    },
  })
  return id
}

const PATIENCE_MS = 30_000
const RUNS = '/v3/unmatched_result_test'

/** A new report with a text layer; the same for the same seed. */
export async function drawReport(seed: number): Promise<Buffer> {
  return Buffer.from((await drawDocument(seed, 'tuned')).pdf)
}
