import assert from 'node:assert/strict'
import { type ContractCheck, createContractCheck } from '../contract-check.ts'
import type { Harness } from '../harness.ts'

/** Reads an address, which must answer as the document of the API says. */
export type CheckedRead = (
  url: string,
  apiKey?: string,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
) => Promise<{ status: number; text: string; body: any }>

/** Reads of summaries by the application of the harness. */
export async function createCheckedRead({ app, apiKey: ownKey }: Harness): Promise<CheckedRead> {
  const document = (await app.inject({ url: '/openapi.json' })).json()
  const check: ContractCheck = createContractCheck(document)
  return async (url, apiKey = ownKey) => {
    const headers = { 'x-service-api-key': apiKey, host: 'salus.example' }
    const response = await app.inject({ url, headers })
    const { statusCode: status, headers: given, body: text } = response
    const answer = { status, headers: given, text }
    assert.deepEqual(check.problemsOf('GET', url, answer), [], url)
    return { ...answer, body: response.json() }
  }
}
