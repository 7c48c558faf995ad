import { AdminResources, Imports, LabReports, TeamResources } from './api/resources.generated.ts'
import type { ImportJob, ParsingJob } from './api/types.generated.ts'
import { HttpClient } from './client/http-client.ts'
import type { RequestOptions, SalusOptions } from './client/request-options.ts'
import { pause } from './client/retries.ts'
import { EventFeed } from './events/event-feed.ts'
import { SeriesResource } from './timeseries.ts'

interface WaitOptions<Job> extends RequestOptions {
  /** Interval between two requests; 1,000 by default. */
  intervalMs?: number
  /** Called after each request. */
  onProgress?: (job: Job) => void
}

class ImportJobs extends Imports {
  /** Waits until an import has ended; check its `status` and `error`. */
  async wait(
    userId: string,
    jobId: string,
    options: WaitOptions<ImportJob> = {},
  ): Promise<ImportJob> {
    const hasEnded = ({ status }: ImportJob) => status === 'completed' || status === 'failed'
    return waitFor(() => this.get(userId, jobId, options), hasEnded, options)
  }
}

class LabReportJobs extends LabReports {
  /** Waits until a report is parsed, or waits for its reviewer; check its `status`. */
  async wait(jobId: string, options: WaitOptions<ParsingJob> = {}): Promise<ParsingJob> {
    const isBeingRead = ({ status }: ParsingJob) =>
      status === 'upload_pending' || status === 'started'
    return waitFor(
      () => this.get(jobId, options),
      (job) => !isBeingRead(job),
      options,
    )
  }
}

async function waitFor<Job>(
  look: () => Promise<Job>,
  hasEnded: (job: Job) => boolean,
  { intervalMs = 1_000, onProgress, signal }: WaitOptions<Job>,
): Promise<Job> {
  for (;;) {
    const job = await look()
    onProgress?.(job)
    if (hasEnded(job)) return job
    await pause(intervalMs, signal)
  }
}

/** Resources of the management API. */
class AdminApi extends AdminResources {
  override readonly events = new EventFeed(this.http)
}

/** Client of a Salus server: `new Salus({ apiKey }).users.create(…)`. */
export class Salus extends TeamResources {
  override readonly timeseries = new SeriesResource(this.http)
  override readonly imports = new ImportJobs(this.http)
  override readonly labReports = new LabReportJobs(this.http)
  /** Organization, teams, keys, webhooks and operation; needs `managementKey`. */
  readonly admin = new AdminApi(this.http)

  constructor(options: SalusOptions) {
    super(new HttpClient(options))
  }

  /**
   * Calls an endpoint without a method: a deprecated one, or one of a newer server.
   * @param path Encoded path.
   */
  async request<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    call: { query?: object; body?: unknown; audience?: 'team' | 'management' | 'link' } = {},
    options: RequestOptions = {},
  ): Promise<T> {
    return this.http.json<T>(method, path, { ...call, options })
  }
}
