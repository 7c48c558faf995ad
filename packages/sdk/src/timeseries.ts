import { Timeseries } from './api/resources.generated.ts'
import type {
  BulkUploadResult,
  Chart,
  ChartedSeries,
  GetStepsChartQuery,
  GetStepsGroupedQuery,
  GetStepsMergedQuery,
  SeriesGroups,
  SeriesMerged,
  SeriesUploads,
  UploadBulkSamplesQuery,
  UploadResult,
} from './api/types.generated.ts'
import { Paged } from './client/paged.ts'
import { path } from './client/path.ts'
import type { RequestOptions } from './client/request-options.ts'
import { type BulkSample, toLines } from './upload/bulk-lines.ts'
import { type ChunkOptions, type ChunksResult, uploadInChunks } from './upload/upload-in-chunks.ts'

type GroupOf<Series extends keyof SeriesGroups> = SeriesGroups[Series]['groups'][string][number]
type SlotOf<Series extends keyof SeriesMerged> = SeriesMerged[Series]['data'][number]
type SampleOf<Series extends keyof SeriesUploads> = SeriesUploads[Series]['data'][number]

/** An upload in chunks: its data can be any number of items. */
export type ChunkedUpload<Series extends keyof SeriesUploads> = Omit<
  SeriesUploads[Series],
  'data' | 'is_final_chunk'
> & { data: Iterable<SampleOf<Series>> | AsyncIterable<SampleOf<Series>> }

/** Samples of series, of which each has the same methods. */
export class SeriesResource extends Timeseries {
  /**
   * Returns samples by source. A loop yields one group after the other, each with its `provider`,
   * over all pages.
   */
  grouped<Series extends keyof SeriesGroups>(
    userId: string,
    series: Series,
    query: GetStepsGroupedQuery,
    options: RequestOptions = {},
  ): Paged<SeriesGroups[Series], GroupOf<Series> & { provider: string }> {
    return new Paged(
      'cursor',
      'groups',
      query,
      (query) =>
        this.http.json<SeriesGroups[Series]>(
          'GET',
          path`/v2/timeseries/${userId}/${series}/grouped`,
          { query, options },
        ),
      ({ groups }) =>
        Object.entries(groups).flatMap(([provider, list]) =>
          (list as GroupOf<Series>[]).map((group) => ({ ...group, provider })),
        ),
    )
  }

  /** Returns slots merged from all sources, so that each walk counts once. */
  merged<Series extends keyof SeriesMerged>(
    userId: string,
    series: Series,
    query: GetStepsMergedQuery,
    options: RequestOptions = {},
  ): Paged<SeriesMerged[Series], SlotOf<Series>> {
    return new Paged('cursor', 'data', query, (query) =>
      this.http.json('GET', path`/v2/timeseries/${userId}/${series}/merged`, { query, options }),
    )
  }

  /** Returns the points of a chart of a series over any range. */
  async chart(
    userId: string,
    series: ChartedSeries,
    query: GetStepsChartQuery,
    options: RequestOptions = {},
  ): Promise<Chart> {
    return this.http.json('GET', path`/v2/timeseries/${userId}/${series}/chart`, { query, options })
  }

  /** Stores samples in one request. Sending the same samples again has no further effect. */
  async upload<Series extends keyof SeriesUploads>(
    userId: string,
    series: Series,
    body: SeriesUploads[Series],
    options: RequestOptions = {},
  ): Promise<UploadResult> {
    return this.http.json('POST', path`/v2/timeseries/${userId}/${series}`, {
      body,
      isRepeatable: true,
      options,
    })
  }

  /**
   * Stores any number of samples, in requests within the limits. A history ends with the last one.
   * @throws UploadInterruptedError with the number of stored items; `resumeFrom` continues there.
   */
  async uploadAll<Series extends keyof SeriesUploads>(
    userId: string,
    series: Series,
    { data, ...envelope }: ChunkedUpload<Series>,
    options: RequestOptions & ChunkOptions = {},
  ): Promise<ChunksResult> {
    const send = (chunk: SampleOf<Series>[], isLast: boolean) => {
      const body = { ...envelope, data: chunk, is_final_chunk: isLast }
      return this.upload(userId, series, body as unknown as SeriesUploads[Series], options)
    }
    return uploadInChunks(data, send, options)
  }

  /**
   * Stores samples of many users in one request, whose body is sent while it is read. It takes
   * minutes for millions of samples: give `timeoutMs`. Sending the same samples again has no
   * further effect.
   */
  async uploadMany(
    samples: Iterable<BulkSample> | AsyncIterable<BulkSample>,
    query: UploadBulkSamplesQuery = {},
    options: RequestOptions = {},
  ): Promise<BulkUploadResult> {
    return this.uploadBulk(toLines(samples), query, options)
  }
}
