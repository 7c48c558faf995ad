import { runBulkExport } from '../../../fhir/src/bulk/run-bulk-export.service.ts'
import type { Harness } from '../harness.ts'

/** What routes of the FHIR interface can name beside users and orders. */
export interface FhirSubject {
  /** A completed bulk export. */
  fhirExportId: string
}

export async function makeFhirSubject(harness: Harness): Promise<FhirSubject> {
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
  return { fhirExportId }
}
