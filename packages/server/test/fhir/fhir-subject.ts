import { runBulkExport } from '../../../fhir/src/bulk/run-bulk-export.service.ts'
import type { Harness } from '../harness.ts'
import { makeAssertion, makeClientKey } from './smart-client.ts'

/** What routes of the FHIR interface can name beside users and orders. */
export interface FhirSubject {
  /** A completed bulk export. */
  fhirExportId: string
  /** A client of the managed team's sandbox. */
  smartClientId: string
  /** An assertion of the client, which is good for one token. */
  smartAssertion: string
}

/** These requests leave other subjects whole, so that all of them share one. */
export const fhirPartOf = ({
  fhirExportId,
  smartClientId,
  smartAssertion,
}: FhirSubject): FhirSubject => ({ fhirExportId, smartClientId, smartAssertion })

export async function makeFhirSubject(
  harness: Harness,
  managedTeamId: string,
): Promise<FhirSubject> {
  const started = await harness.call('GET', '/fhir/R4/Patient/$export?_type=Patient')
  const fhirExportId = String(started.headers['content-location']).split('/').at(-1) ?? ''
  const { rows } = await harness.database.pool.query(
    'select environment_id from fhir_exports where id = $1',
    [fhirExportId],
  )
  const [{ environment_id: environmentId }] = rows
  const attempt = { isLast: true, signal: new AbortController().signal }
  const job = { environmentId, exportId: fhirExportId }
  await runBulkExport(harness.dependencies, harness.dependencies, job, attempt)
  const key = makeClientKey()
  const client = await harness.manage('POST', `/team/${managedTeamId}/sandbox/smart_client`, {
    label: 'Records',
    jwks: { keys: [key.jwk] },
    scopes: ['system/*.rs'],
  })
  if (client.status !== 200) throw new Error(client.text)
  const smartClientId: string = client.body.id
  const audience = 'http://localhost:80/fhir/R4/auth/token'
  const claims = { clientId: smartClientId, audience, now: harness.clock.now() }
  // The tests of all routes move no time, but may take a while.
  const smartAssertion = makeAssertion(key, claims, {
    exp: Math.floor(claims.now.getTime() / 1000) + 290,
  })
  return { fhirExportId, smartClientId, smartAssertion }
}
