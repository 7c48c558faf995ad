import assert from 'node:assert/strict'
import type { Requisition } from '@salus/contracts/lab-gateway'
import type { Config } from '../../src/config.ts'
import { INSURANCE } from '../insurance/route-cases.ts'
import { USER_INFO } from '../route-cases.ts'
import { createFakeGateway, dispatchBy, runJobs } from './fake-gateway.ts'
import { orderBody } from './order-bodies.ts'
import { type Body, createOrdersFixture, type OrdersFixture, refusalOf } from './orders-fixture.ts'

/** What an order says that an insurer is billed for. */
export const INSURED = { billing_type: 'commercial_insurance', icd_codes: ['E11.9'] }

/** `health_insurance` that is enough for a policy. */
export const OWN = {
  payor_code: 'SAMPLE-10008',
  insurance_id: 'C-1',
  responsible_relationship: 'Self',
}

export const IMAGE = {
  content: Buffer.from('the front of a card').toString('base64'),
  content_type: 'image/png' as const,
}

/** Orders of people with insurance. */
export interface InsuredFixture extends OrdersFixture {
  succeed(method: string, url: string, body?: unknown): Promise<Body>
  /** A person with demographics and policies of these member numbers, the last one newest. */
  makeInsured(...members: string[]): Promise<string>
  insure(userId: string, changes?: object): Promise<Body>
  /** Places a walk-in order that must be taken. */
  placeFor(userId: string, changes?: object): Promise<Body>
  refuse(userId: string, changes?: object): Promise<ReturnType<typeof refusalOf>>
  /** What the laboratory was handed for an order. */
  handOver(order: Body): Promise<Requisition>
  /** Oldest first. */
  listPolicies(userId: string): Promise<Body[]>
}

export async function createInsuredFixture(
  settings: Partial<Config> = {},
): Promise<InsuredFixture> {
  const fixture = await createOrdersFixture(settings)
  const { harness, tests } = fixture
  const succeed = async (method: string, url: string, body?: unknown): Promise<Body> => {
    const answer = await harness.call(method, url, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const insure = (userId: string, changes: object = {}) =>
    succeed('POST', `/v2/user/${userId}/insurance`, { ...INSURANCE, ...changes })
  return {
    ...fixture,
    succeed,
    insure,
    async makeInsured(...members) {
      const userId = await harness.makeUser()
      await succeed('PATCH', `/v2/user/${userId}/info`, USER_INFO)
      for (const member_id of members) await insure(userId, { member_id })
      return userId
    },
    placeFor: (userId, changes = {}) =>
      fixture.place('walk_in_test', { user_id: userId, ...changes }),
    async refuse(userId, changes = {}) {
      const body = orderBody(userId, tests.walk_in_test, { ...INSURED, ...changes })
      return refusalOf(await harness.call('POST', '/v3/order', body))
    },
    async handOver({ id }) {
      const gateway = createFakeGateway()
      await runJobs(fixture, dispatchBy(gateway))
      const found = gateway.placed.find(({ orderId }) => orderId === id)
      if (found === undefined) throw new Error('The order was not handed over.')
      return found
    },
    async listPolicies(userId) {
      const { rows } = await harness.database.pool.query(
        'select id, member_id from insurance_policies where user_id = $1 order by sequence',
        [userId],
      )
      return rows
    },
  }
}
