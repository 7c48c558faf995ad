/** A sample of one user, as a line of a bulk upload. */
export interface BulkSample {
  /** Either this or `client_user_id`. */
  user_id?: string
  client_user_id?: string
  /** Series, by the name of its paths. */
  resource: string
  value?: number | string
  /** Diastolic value of a blood pressure, whose `value` is the systolic one. */
  diastolic?: number
  unit: string
  start_date: string
  end_date?: string | null
  /** Offset from UTC in seconds where the user was. */
  timezone_offset?: number | null
  /** IANA zone where the user was. */
  time_zone?: string | null
  id?: string | null
  source_bundle?: string | null
  product_type?: string | null
  type?: string | null
  metadata?: Record<string, string> | null
}

/** Length of a part of the body: parts of single lines would be slow. */
const PART_LENGTH = 64 * 1024

/** Returns samples as newline-delimited JSON, written as fast as the request reads it. */
export function toLines(
  samples: Iterable<BulkSample> | AsyncIterable<BulkSample>,
): ReadableStream<Uint8Array> {
  const parts = writeParts(samples)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

async function* writeParts(
  samples: Iterable<BulkSample> | AsyncIterable<BulkSample>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  for await (const sample of samples) {
    text += `${JSON.stringify(sample)}\n`
    if (text.length < PART_LENGTH) continue
    yield encoder.encode(text)
    text = ''
  }
  if (text !== '') yield encoder.encode(text)
}
