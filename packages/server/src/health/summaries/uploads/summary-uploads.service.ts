import type { Scope } from '../../../platform/scope.ts'
import { openUpload, storeUpload, type UploadPort, type UploadResult } from '../../ingest/index.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { joinStoredBodies } from './body-joiner.ts'
import { historiesOf } from './fed-resources.ts'
import type { SummaryUploadBody } from './summary-uploads.schema.ts'
import { parseSummaryUpload } from './upload-parser.ts'

/**
 * Stores an upload of summaries, and the samples that come with them. Bad items are quarantined with a
 * reason and do not fail the good ones; everything is durable when it returns.
 * @throws AppError 404 for the user, 400 `not_connected` when the user has no live connection to the
 * provider.
 */
export async function uploadSummaries(
  scope: Scope,
  port: UploadPort,
  userId: string,
  resource: SummaryResource,
  body: SummaryUploadBody,
): Promise<UploadResult> {
  const upload = await openUpload(scope, userId, body)
  const { user, provider, timeZone } = upload
  const owner = { environmentId: scope.environment.id, userId: user.id, provider }
  const items = Array.isArray(body.data) ? body.data : [body.data]
  const { putAside: quarantined, ...parsed } = await parseSummaryUpload(
    resource,
    { ...owner, timeZone },
    items,
  )
  const summaries = await joinStoredBodies(scope.clickhouse, owner, parsed.summaries)
  const data = { ...parsed, summaries, quarantined }
  return storeUpload(port, upload, historiesOf(resource, provider), data)
}
